import type { ReactNode } from 'react';

/** Something that the palette offers: a place to go to, or something to do once it is closed. */
export type Option = Look & ({ to: string; state?: { words: string[] } } | { run: () => void });

interface Look {
  key: string;
  content: ReactNode;
  /** It was found for what was typed before: a press on it is meant, Enter is not. */
  isStale?: boolean;
}

/** Options of one kind, under their name. */
export interface Group {
  label: string;
  options: Option[];
}

/** What is offered among others when its name, or another word for it, is looked for. */
export type Command = Option & { label: string; also: string };

/** Whether all words of the query occur in a text. */
export function isMatch(text: string, query: string): boolean {
  const folded = text.toLowerCase();
  return wordsOf(query).every((word) => folded.includes(word));
}

/** The commands that are found by a query, first those found by their names. */
export function findCommands(commands: readonly Command[], query: string): Command[] {
  const named = commands.filter(({ label }) => isMatch(label, query));
  const others = commands.filter(
    ({ label, also }) => !isMatch(label, query) && isMatch(`${label} ${also}`, query),
  );
  return [...named, ...others];
}

/** Where the words of a query first stand in a text, as `[from, to]`, in their order and apart from each other. */
export function rangesOf(text: string, query: string): [number, number][] {
  const folded = text.toLowerCase();
  if (folded.length !== text.length) return [];
  const found = wordsOf(query)
    .map((word): [number, number] => [folded.indexOf(word), folded.indexOf(word) + word.length])
    .filter(([from]) => from >= 0)
    .sort(([a], [b]) => a - b);
  return found.filter(([from], index) => index === 0 || from >= (found[index - 1]?.[1] ?? 0));
}

function wordsOf(query: string): string[] {
  return query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}
