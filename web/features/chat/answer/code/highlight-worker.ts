import hljs from 'highlight.js/lib/core';
import type { HighlightAnswer, HighlightOrder } from './highlighter.ts';
import { findLanguage } from './languages.ts';
import { CHUNK_LINES, type CodeToken, chunked, readTokens } from './read-tokens.ts';

/** Colours code beside the page's own thread: answers chunk by chunk, so that the page never reads a long one. */
addEventListener('message', async ({ data: order }: MessageEvent<HighlightOrder>) => {
  const answer = (fields: Omit<HighlightAnswer, 'id'>) => postMessage({ id: order.id, ...fields });
  try {
    const chunks = chunked(await readLines(order), CHUNK_LINES);
    for (const [place, lines] of chunks.entries()) answer({ place, lines, last: false });
  } finally {
    answer({ place: 0, lines: [], last: true });
  }
});

async function readLines({ language: written, code }: HighlightOrder): Promise<CodeToken[][]> {
  const language = findLanguage(written);
  if (!language) return [];
  const { name, load } = language;
  if (!hljs.getLanguage(name)) hljs.registerLanguage(name, (await load()).default);
  return readTokens(hljs.highlight(code, { language: name, ignoreIllegals: true }).value);
}
