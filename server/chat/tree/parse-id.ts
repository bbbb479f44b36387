import { z } from 'zod';

export { idSchema, parseId } from '#server/platform/http/parse-id.ts';

/** Where a page of conversations begins; null: at the beginning. */
export const cursorSchema = z.string().max(100).nullable().default(null);

/** How many rows a page has. */
export const limitSchema = z
  .string()
  .regex(/^\d{1,3}$/)
  .default('50')
  .transform(Number)
  .pipe(z.int().min(1).max(100));
