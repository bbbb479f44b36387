import { createElement, Fragment, type ReactNode } from 'react';

type Part = (content: string) => ReactNode;

const TAG = /<(\w+)>(.*?)<\/\1>/gs;

/** Shows a text in which `<name>…</name>` is drawn by the part of that name, so that links sit where the language puts them. */
export function RichText({ text, parts }: { text: string; parts: Record<string, Part> }) {
  const pieces: ReactNode[] = [];
  let from = 0;
  for (const match of text.matchAll(TAG)) {
    const [whole, name = '', content = ''] = match;
    pieces.push(text.slice(from, match.index), parts[name]?.(content) ?? content);
    from = match.index + whole.length;
  }
  pieces.push(text.slice(from));
  return createElement(Fragment, null, ...pieces);
}
