import { betterAuth } from 'better-auth';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { PASSWORD_MAX, PASSWORD_MIN } from '#contract/limits.ts';
import { identityTables } from '#server/db/identity-tables.ts';
import type { Deps } from '#server/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { rootCause } from '#server/platform/root-cause.ts';
import { SESSION_DAYS } from './authenticate.ts';
import { hashPassword, verifyPassword } from './hash-password.ts';
import { sessionCookieName } from './session-cookie.ts';

/** Header in which our own routes hand the client's address to better-auth; a client's own is overwritten. */
export const CLIENT_ADDRESS_HEADER = 'x-parley-client-address';

/** The identity library over our tables. Requests reach it through routes.ts only, which limits, checks and translates. */
export function createAuth({ config, database, log }: Pick<Deps, 'config' | 'database' | 'log'>) {
  const isSecure = config.publicUrl.startsWith('https:');
  return betterAuth({
    appName: config.brand.name,
    baseURL: config.publicUrl,
    secret: config.authSecret,
    trustedOrigins: [...config.trustedOrigins],
    database: drizzleAdapter(database.orm, { provider: 'pg', schema: identityTables, transaction: true }),
    emailAndPassword: {
      enabled: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
      password: {
        hash: hashPassword,
        verify: ({ hash, password }) => verifyPassword(hash, password),
      },
    },
    session: {
      expiresIn: SESSION_DAYS * 86_400,
      disableSessionRefresh: true,
      cookieCache: { enabled: false },
    },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      cookiePrefix: sessionCookieName(config.publicUrl).replace(/\.session_token$/, ''),
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isSecure, httpOnly: true, sameSite: 'lax', path: '/' },
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
