import { readFileSync } from 'node:fs';

const LINES = readFileSync('.env.example', 'utf8').matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=(.*)$/gm);

/** The settings that there are, with their defaults, as `.env.example` says them. */
export const KNOWN_SETTINGS = new Map([...LINES].map(([, name = '', value = '']) => [name, value]));

/** How long an answer may take by default, in milliseconds. */
export const MAX_ANSWER_MS = Number(KNOWN_SETTINGS.get('UPSTREAM_TOTAL_TIMEOUT_MS'));

/** What is sent and closed after the last answer has ended. */
const AFTERWARDS_MS = 5_000;

/** How long a stop may take whose running answers have so long to end, both in milliseconds. */
export function stopMs(deadline: number): number {
  return deadline + constantOf('server/main.ts', 'CONNECTIONS_TIMEOUT_MS') + AFTERWARDS_MS;
}

/** A number that a file of the server states under this name. */
export function constantOf(file: string, name: string): number {
  const [, text] = new RegExp(`const ${name} = ([\\d_]+);`).exec(readFileSync(file, 'utf8')) ?? [];
  if (!text) throw new Error(`${file} has no ${name}`);
  return Number(text.replaceAll('_', ''));
}
