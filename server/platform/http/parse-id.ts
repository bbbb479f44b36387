import type { Context } from 'hono';
import { z } from 'zod';
import { AppError } from '#server/errors.ts';

/** An id as the database writes it. */
export const idSchema = z.uuid().toLowerCase();

/** The id in the path of a request. Throws `not_found`: what is no id names nothing. */
export function parseId(c: Context): string {
  const parsed = idSchema.safeParse(c.req.param('id'));
  if (!parsed.success) throw new AppError('not_found');
  return parsed.data;
}
