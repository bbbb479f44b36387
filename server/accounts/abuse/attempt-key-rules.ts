/**
 * The keys under which tries to sign in and mails are counted in `rate_limits`. `network` is what `networkOf` makes of an IP address,
 * `tokenHash` the hash of a device cookie. Keys of an account continue behind its email with a colon, so that one call deletes all of
 * them: `sign-in:anna@example.com:network:203.0.113.7`.
 */
export const ATTEMPT_KEYS = {
  signInFrom: (network: string) => `sign-in:${network}`,
  signInAt: (email: string) => `sign-in:${email}`,
  signInAtFrom: (email: string, network: string) => `sign-in:${email}:network:${network}`,
  signInOfBrowser: (email: string, tokenHash: string) => `sign-in:${email}:browser:${tokenHash}`,
  captchaAt: (email: string) => `captcha:${email}`,
  captchaFrom: (network: string) => `captcha:${network}`,
  resetTo: (email: string) => `reset:${email}`,
  resetFrom: (network: string) => `reset:${network}`,
  signInLinkTo: (email: string) => `sign-in-link:${email}`,
  signInLinkFrom: (network: string) => `sign-in-link:${network}`,
  passkeyFrom: (network: string) => `passkey:${network}`,
  googleFrom: (network: string) => `google:${network}`,
  signUpFrom: (network: string) => `sign-up:${network}`,
  passwordOf: (sessionId: string) => `password:${sessionId}`,
  linkOpened: (proofHash: string) => `link:${proofHash}`,
  codeOfSession: (userId: string, sessionId: string) => `code:${userId}:session:${sessionId}`,
  codeOfBrowser: (userId: string, tokenHash: string) => `code:${userId}:browser:${tokenHash}`,
  codeOfMailed: (userId: string) => `code:${userId}:mailed`,
  codeOfStrangers: (userId: string) => `code:${userId}:strangers`,
  codesForgotten: (userId: string) => `code:${userId}:forgotten`,
} as const;

/** The keys of all that strangers may have used up at the account of an email. */
export function keysAt(email: string): string[] {
  const { signInAt, captchaAt, resetTo, signInLinkTo } = ATTEMPT_KEYS;
  return [signInAt(email), captchaAt(email), resetTo(email), signInLinkTo(email)];
}
