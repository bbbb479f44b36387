import type { Refusal } from './http-pool.ts';
import { UpstreamError, type UpstreamErrorDetails, type UpstreamErrorKind } from './upstream-error.ts';

const CODE = /^[\w.:-]{1,64}$/;
const OVERLOADED = new Set([500, 502, 503, 504, 529]);

type Json = Record<string, unknown>;

/** A value as an object; an empty one for everything else. */
export function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** Parses a text; null where it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A provider's code as it may be logged: short and without blanks, so that it cannot carry a prompt; else null. */
export function readCode(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && CODE.test(text) ? text : null;
}

/** The code of a status, where the body says nothing better. */
export function kindOfStatus(status: number): UpstreamErrorKind {
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'balance';
  if (status === 404 || status === 410) return 'not_found';
  if (status === 429) return 'rate';
  return OVERLOADED.has(status) ? 'overloaded' : 'fetch';
}

/** Milliseconds that the headers of a refusal ask us to wait; null when they do not say. */
export function readRetryAfter({ headers }: Pick<Refusal, 'headers'>, now: number): number | null {
  const exact = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const value = headers['retry-after'];
  if (value === undefined) return null;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** An error of the model client for a refusal. The provider's own sentence is left out: it can quote keys and prompts. */
export function refused(
  kind: UpstreamErrorKind,
  status: number | null,
  details: UpstreamErrorDetails,
): UpstreamError {
  const word = details.vendorCode ? `, ${details.vendorCode}` : '';
  return new UpstreamError(kind, `the provider refused (HTTP ${status ?? 'none'}${word})`, {
    ...details,
    status,
  });
}
