import type { Deps } from '#server/deps.ts';
import type { ComposeMail } from '#server/platform/mail/mail-queue.ts';
import { composeEmailChangeNew } from './compose-email-change-new.ts';
import { composeEmailChangeOld } from './compose-email-change-old.ts';
import { composeExportReady } from './compose-export-ready.ts';
import { composeNewSignIn } from './compose-new-sign-in.ts';
import { composeAccountDeleted, composeEmailChanged, composeNotices } from './compose-notices.ts';
import { composePasswordReset } from './compose-password-reset.ts';
import { composeSignInLink } from './compose-sign-in-link.ts';
import { composeVerifyEmail } from './compose-verify-email.ts';

/** What the mails about an account are composed with. */
export type ComposeDeps = Pick<Deps, 'config' | 'database' | 'clock'>;

/** Who composes the mails about an account, by template. */
export function composeAccountMail(deps: ComposeDeps): Record<string, ComposeMail> {
  return {
    password_reset: (mail) => composePasswordReset(deps, mail),
    sign_in_link: (mail) => composeSignInLink(deps, mail),
    verify_email: (mail) => composeVerifyEmail(deps, mail),
    new_sign_in: (mail) => composeNewSignIn(deps, mail),
    email_change_old: (mail) => composeEmailChangeOld(deps, mail),
    email_change_new: (mail) => composeEmailChangeNew(deps, mail),
    account_deleted: composeAccountDeleted,
    export_ready: (mail) => composeExportReady(deps, mail),
    ...composeNotices(deps),
    email_changed: (mail) => composeEmailChanged(deps, mail),
  };
}
