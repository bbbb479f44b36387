import { confirmIdentitySchema, secondFactorProofSchema } from '#contract/accounts/confirmation.ts';
import { googleStartSchema } from '#contract/accounts/google.ts';
import {
  registerPasskeySchema,
  renamePasskeySchema,
  signInByPasskeySchema,
} from '#contract/accounts/passkeys.ts';
import { finishEnrolmentSchema } from '#contract/accounts/second-factor.ts';
import {
  changePasswordSchema,
  changeProfileSchema,
  checkPasswordSchema,
  resetPasswordSchema,
} from '#contract/accounts.ts';
import {
  changeEmailSchema,
  linkTokenSchema,
  openedLinkSchema,
  requestSignInLinkSchema,
} from '#contract/email.ts';
import { requestPasswordResetSchema } from '#server/accounts/passwords/request-password-reset.ts';
import { signInSchema } from '#server/accounts/sign-in/sign-in.ts';
import { signUpSchema } from '#server/accounts/sign-in/sign-up.ts';
import { asks, NOTHING, type RouteInput, takes } from '../routes/route-input.ts';

/** What the routes of accounts read. */
export const ACCOUNT_INPUTS: Readonly<Record<string, RouteInput>> = {
  'POST /api/auth/sign-up/email': takes(signUpSchema),
  'POST /api/auth/sign-in/email': takes(signInSchema),
  'POST /api/auth/sign-out': NOTHING,
  'POST /api/auth/second-factor': takes(secondFactorProofSchema),
  'POST /api/auth/second-factor/passkey': NOTHING,
  'POST /api/auth/passkey/options': NOTHING,
  'POST /api/auth/passkey': takes(signInByPasskeySchema),
  'GET /api/auth/google/start': asks(googleStartSchema),
  'POST /api/auth/request-password-reset': takes(requestPasswordResetSchema),
  'POST /api/auth/reset-password': takes(resetPasswordSchema),
  'POST /api/auth/reset-password/offer': takes(linkTokenSchema),
  'POST /api/auth/request-sign-in-link': takes(requestSignInLinkSchema),
  'POST /api/auth/open-sign-in-link': takes(linkTokenSchema),
  'POST /api/auth/disown-account': takes(linkTokenSchema),
  'POST /api/auth/disown-notice': takes(linkTokenSchema),
  'POST /api/auth/disown-notice/offer': takes(linkTokenSchema),
  'POST /api/auth/verify-email': takes(openedLinkSchema),
  'POST /api/auth/confirm-email-change': takes(openedLinkSchema),
  'POST /api/auth/stop-email-change': takes(linkTokenSchema),
  'POST /api/auth/check-password': takes(checkPasswordSchema),
  'POST /api/auth/weigh-password': takes(checkPasswordSchema),
  'PATCH /api/me': takes(changeProfileSchema),
  'POST /api/me/password': takes(changePasswordSchema),
  'POST /api/me/email': takes(changeEmailSchema),
  'DELETE /api/me/email/change': NOTHING,
  'POST /api/me/email/verification': NOTHING,
  'POST /api/me/sign-ins': NOTHING,
  'DELETE /api/me/sign-ins/:id': NOTHING,
  'POST /api/me/confirm': takes(confirmIdentitySchema),
  'POST /api/me/confirm/passkey': NOTHING,
  'POST /api/me/passkeys/options': NOTHING,
  'POST /api/me/passkeys': takes(registerPasskeySchema),
  'PATCH /api/me/passkeys/:id': takes(renamePasskeySchema),
  'DELETE /api/me/passkeys/:id': NOTHING,
  'POST /api/me/second-factor/enrolment': NOTHING,
  'POST /api/me/second-factor': takes(finishEnrolmentSchema),
  'POST /api/me/second-factor/recovery-codes': NOTHING,
  'DELETE /api/me/second-factor': NOTHING,
  'PUT /api/me/picture': { body: 'bytes' },
  'DELETE /api/me/picture': NOTHING,
  'DELETE /api/sessions': NOTHING,
  'DELETE /api/sessions/:id': NOTHING,
  'POST /api/me/export': NOTHING,
};
