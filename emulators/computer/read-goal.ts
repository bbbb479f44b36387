import type { Language } from '../payments/page.ts';

type Json = Record<string, unknown>;

/** What the emulated model is asked for, and how far it has come. */
export interface Goal {
  /** The user’s own words. */
  text: string;
  language: Language;
  /** Marks the visit of the site that belongs to this goal. */
  visit: string;
  /** The address that the last action came to; null before the first. */
  url: string | null;
  /** How many actions were answered. */
  done: number;
  /** What it asked for last in each of its turns. */
  asked: { name: string; url: string }[];
  /** Names of files that pages offered. */
  offered: string[];
  /** The last action was not done, and why. */
  refused: string | null;
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function asList(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(asObject) : [];
}

/** Whether the request lets the model use a browser. */
export function wantsComputer(body: Json): boolean {
  return asList(body.tools).some((tool) => tool.computerUse !== undefined);
}

/** Reads the goal out of a request with the `computerUse` tool. */
export function readGoal(body: Json): Goal {
  const contents = asList(body.contents);
  // The goal stands behind the last answer that was words alone.
  const answered = contents.findLastIndex(({ role, parts }) => role === 'model' && !hasCall(parts));
  const from = contents.findIndex(({ parts }, at) => at > answered && textOf(parts) !== '');
  const text = textOf(contents[from]?.parts);
  const results = contents
    .slice(from)
    .flatMap(({ parts }) => asList(parts))
    .map(({ functionResponse }) => functionResponse)
    .filter((result) => result !== undefined)
    .map((result) => asObject(asObject(result).response));
  const last = results.at(-1);
  const urls = results.map(({ url }) => url).filter((url) => typeof url === 'string');
  return {
    text,
    language: /\p{Script=Han}/u.test(text) ? 'zh' : 'en',
    visit: visitOf(urls) ?? hashOf(JSON.stringify(contents.slice(0, from + 1)).slice(0, 4_000)),
    url: urls.at(-1) ?? null,
    done: results.length,
    offered: results.flatMap(({ offered_files: names }) => (Array.isArray(names) ? names.map(String) : [])),
    asked: contents.slice(from).flatMap(({ parts }) => askedIn(parts)),
    // After a takeover the page is another one, and the model looks at it again.
    refused: last?.error === undefined || last.note !== undefined ? null : String(last.error),
  };
}

function askedIn(parts: unknown): Goal['asked'] {
  const call = asList(parts).findLast(({ functionCall }) => functionCall !== undefined)?.functionCall;
  if (call === undefined) return [];
  const { name, args } = asObject(call);
  return [{ name: String(name), url: String(asObject(args).url ?? '') }];
}

function hasCall(parts: unknown): boolean {
  return asList(parts).some(({ functionCall }) => functionCall !== undefined);
}

function textOf(parts: unknown): string {
  return asList(parts)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('\n')
    .trim();
}

function visitOf(urls: readonly string[]): string | null {
  return urls.map((url) => URL.parse(url)?.searchParams.get('visit')).findLast((visit) => visit) ?? null;
}

function hashOf(text: string): string {
  let sum = 5381;
  for (const character of text) sum = (sum * 33 + (character.codePointAt(0) ?? 0)) % 0xffffffff;
  return `${sum.toString(36)}${Date.now().toString(36)}`;
}
