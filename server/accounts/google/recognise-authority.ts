import type { GoogleProfile } from './google-client.ts';

const GMAIL = ['gmail.com', 'googlemail.com'];

/**
 * Does Google speak for the mailbox of this address: one of Gmail, or of the Workspace domain that the account belongs to. Of any
 * other it only says that a person could read a mail there once
 * (https://developers.google.com/identity/gsi/web/guides/verify-google-id-token).
 */
export function recogniseAuthority({
  email,
  emailVerified,
  hostedDomain,
}: Pick<GoogleProfile, 'email' | 'emailVerified' | 'hostedDomain'>): boolean {
  if (email === null || !emailVerified) return false;
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return GMAIL.includes(domain) || hostedDomain === domain;
}
