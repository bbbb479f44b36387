import { boolean, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const time = (name: string) => timestamp(name, { withTimezone: true });
const ownTimes = { createdAt: time('created_at').notNull(), updatedAt: time('updated_at').notNull() };

/** The tables of 0000_accounts.sql under the names that better-auth gives their fields. */
export const identityTables = {
  user: pgTable('users', {
    id: uuid('id').primaryKey(),
    email: text('email').notNull(),
    emailVerified: boolean('email_verified').notNull(),
    name: text('display_name').notNull(),
    image: text('photo_url'),
    ...ownTimes,
  }),
  session: pgTable('sessions', {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id').notNull(),
    token: text('token').notNull(),
    expiresAt: time('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    ...ownTimes,
  }),
  account: pgTable('identities', {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id').notNull(),
    providerId: text('provider_id').notNull(),
    accountId: text('account_id').notNull(),
    password: text('password'),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: time('access_token_expires_at'),
    refreshTokenExpiresAt: time('refresh_token_expires_at'),
    scope: text('scope'),
    ...ownTimes,
  }),
  verification: pgTable('verifications', {
    id: uuid('id').primaryKey(),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: time('expires_at').notNull(),
    ...ownTimes,
  }),
};
