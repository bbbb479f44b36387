import type { Context } from 'hono';
import { z } from 'zod';
import { AppError } from '#server/errors.ts';
import { type BodyLimit, bodyLimitOf } from './body-limit.ts';
import { boundJson } from './bound-json.ts';
import { readBody } from './read-body.ts';

/** A parameter of `parseQuery`: where a page of a list begins; null: at its beginning. */
export const cursorSchema = z.string().max(100).nullable().default(null);

/** A parameter of `parseQuery`: how many rows a page has. */
export const limitSchema = z
  .string()
  .regex(/^\d{1,3}$/)
  .default('50')
  .transform(Number)
  .pipe(z.int().min(1).max(100));

/**
 * The JSON body of a request as `schema` gives it. Throws as `readJson`, and `invalid_request` naming the field in
 * `params.field` when it has another shape.
 */
export async function parseBody<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  return parseValue(await readJson(c), schema);
}

/** `parseBody`, where a request without a body means the empty object. */
export async function parseOptionalBody<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  const limit = bodyLimitOf(c);
  const bytes = await readBody(c, limit.bytes);
  return parseValue(bytes.length === 0 ? {} : parseJson(bytes, limit), schema);
}

/** The JSON body of a request, within what its route takes. Throws as `readBody` and `parseJson`. */
async function readJson(c: Context): Promise<unknown> {
  const limit = bodyLimitOf(c);
  return parseJson(await readBody(c, limit.bytes), limit);
}

/** The query string of a request as `schema` gives it. Throws `invalid_request` naming the parameter. */
export function parseQuery<T>(c: Context, schema: z.ZodType<T>): T {
  return parseValue(c.req.query(), schema);
}

/** A value from outside as `schema` gives it. Throws `invalid_request` naming the field that is wrong, missing or too many. */
function parseValue<T>(value: unknown, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const extra = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const field = [...(issue?.path ?? []), ...extra].join('.').slice(0, 100);
  throw new AppError('invalid_request', { field: field || 'body' });
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** JSON in UTF-8. Throws `json_too_complex` beyond the limit, and `invalid_json`. */
export function parseJson(bytes: Buffer, { nodes }: Pick<BodyLimit, 'nodes'>): unknown {
  boundJson(bytes, nodes);
  let value: unknown;
  let text: string;
  try {
    text = decoder.decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw new AppError('invalid_json');
  }
  if (text.includes('__proto__')) refuseProto(value);
  return value;
}

/** As a key `__proto__` changes what it is copied into, so no body may have it; as text it is harmless. */
function refuseProto(value: unknown) {
  const open = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one !== 'object' || one === null) continue;
    if (Object.hasOwn(one, '__proto__')) throw new AppError('invalid_request', { field: '__proto__' });
    for (const part of Object.values(one)) open.push(part);
  }
}
