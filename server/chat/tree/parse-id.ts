import type { Context } from 'hono';
import { z } from 'zod';
import { AppError } from '#server/errors.ts';

/** An id as the database writes it. */
export const idSchema = z.uuid().toLowerCase();

/** Where a page of conversations begins; null: at the beginning. */
export const cursorSchema = z.string().max(100).nullable().default(null);

/** How many rows a page has. */
export const limitSchema = z
  .string()
  .regex(/^\d{1,3}$/)
  .default('50')
  .transform(Number)
  .pipe(z.int().min(1).max(100));

/** The id in the path of a request. Throws `not_found`: what is no id names nothing. */
export function parseId(c: Context): string {
  const parsed = idSchema.safeParse(c.req.param('id'));
  if (!parsed.success) throw new AppError('not_found');
  return parsed.data;
}
