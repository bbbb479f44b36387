import { createHash } from 'node:crypto';
import type { Mode } from './facts.ts';
import { type Fields, lookUp, readTime } from './fields.ts';
import type { Envelope } from './provider.ts';

const MODES: Record<string, Mode> = {
  prod: 'live',
  live: 'live',
  test: 'test',
  sandbox: 'test',
  local: 'test',
};

/** The providers' several words for their two worlds. */
export function readMode(text: string | null): Mode | null {
  return lookUp(MODES, text);
}

interface EnvelopeNames {
  id: string;
  type: string;
}

/** The envelope of a webhook, whose id and type have the provider's `names`. */
export function readEnvelopeFields(raw: Uint8Array, body: Fields, names: EnvelopeNames): Envelope {
  const type = body.text(names.type)?.slice(0, 100) ?? 'unknown';
  const id = body.text(names.id);
  return {
    dedupeKey: id === null ? `sha256:${createHash('sha256').update(raw).digest('hex')}` : `${id}:${type}`,
    type,
    createdAt: readTime(body.raw('created_at')),
    mode: readMode(body.object('object').text('mode')),
  };
}
