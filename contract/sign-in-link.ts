import { z } from 'zod';

/** `POST /api/auth/request-sign-in-link`. Without an address: that of the sign-in which waits for its second step in this browser. */
export const requestSignInLinkSchema = z.strictObject({ email: z.string().optional() });
export type RequestSignInLink = z.infer<typeof requestSignInLinkSchema>;

/** `POST /api/auth/open-sign-in-link`: whose browser it is now. */
export interface OpenedSignInLink {
  email: string;
}
