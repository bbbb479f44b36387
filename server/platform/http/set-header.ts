import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/** Sets a header of the answer, also of one that is written straight to the connection. */
export function setHeader(c: Context, name: string, value: string | number) {
  const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>;
  if (outgoing) outgoing.setHeader(name, String(value));
  else c.header(name, String(value));
}
