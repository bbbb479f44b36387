import { z } from 'zod';
import { subscriptionSchema } from './billing.ts';

/** The user record of the specification, section 3. Times are epoch milliseconds. */
export const userRecordSchema = z.object({
  uid: z.uuid(),
  email: z.email(),
  displayName: z.string().nullable(),
  photoURL: z.string().nullable(),
  credits: z.int(),
  subscription: subscriptionSchema.nullable(),
  createdAt: z.int(),
  lastLoginAt: z.int(),
});
export type UserRecord = z.infer<typeof userRecordSchema>;
