import { betterAuth } from 'better-auth/minimal';
import { PASSWORD_MAX, PASSWORD_MIN } from '#contract/limits.ts';
import type { Deps } from '#server/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { rootCause } from '#server/platform/root-cause.ts';

import { hashPassword, verifyPassword } from './hash-password.ts';
import { identityStore } from './identity-store.ts';
import { SESSION_DAYS } from './live-sessions.ts';
import { sessionCookieName } from './session-cookie.ts';

/** Header in which our own routes hand the client's address to better-auth; a client's own is overwritten. */
export const CLIENT_ADDRESS_HEADER = 'x-parley-client-address';

/** The identity library over our tables. Requests reach it through routes.ts only, which limits, checks and translates. */
export function createAuth(deps: Pick<Deps, 'config' | 'database' | 'log' | 'clock'>) {
  const { config, database, log, clock } = deps;
  return betterAuth({
    appName: config.brand.name,
    baseURL: config.publicUrl,
    secret: config.authSecret,
    trustedOrigins: [...config.trustedOrigins],
    database: identityStore(database.sql, clock),
    user: TABLES.users,
    account: TABLES.identities,
    verification: TABLES.verifications,
    session: {
      ...TABLES.sessions,
      expiresIn: SESSION_DAYS * 86_400,
      disableSessionRefresh: true,
      cookieCache: { enabled: false },
    },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
      password: {
        hash: hashPassword,
        verify: ({ hash, password }) => verifyPassword(hash, password),
      },
    },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      cookiePrefix: sessionCookieName(config.publicUrl).replace(/\.session_token$/, ''),
      useSecureCookies: false,
      defaultCookieAttributes: {
        secure: config.publicUrl.startsWith('https:'),
        httpOnly: true,
        sameSite: 'lax',
        path: '/',
      },
      // The server's own guard has checked the origin of every change.
      disableCSRFCheck: true,
      database: { generateId: newId },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    },
    logger: {
      level: 'error',
      log: (_level, message, ...details) =>
        log.error({ err: details.map(rootCause)[0] }, `better-auth: ${message}`),
    },
    onAPIError: { throw: true },
  });
}

export type Auth = ReturnType<typeof createAuth>;

const TIMES = { createdAt: 'created_at', updatedAt: 'updated_at' };

/** better-auth's names of fields, and ours of columns. */
const TABLES = {
  users: {
    modelName: 'users',
    fields: { name: 'display_name', image: 'photo_url', emailVerified: 'email_verified', ...TIMES },
  },
  sessions: {
    modelName: 'sessions',
    fields: {
      userId: 'user_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      ...TIMES,
    },
  },
  identities: {
    modelName: 'identities',
    fields: {
      userId: 'user_id',
      providerId: 'provider_id',
      accountId: 'account_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      ...TIMES,
    },
  },
  verifications: { modelName: 'verifications', fields: { expiresAt: 'expires_at', ...TIMES } },
};
