const SENTENCE_END = /[。！？!?][”’」』）)"']*|[^\d\s]\.(?=\s)/g;
const FENCE = /^\s*(```|~~~)/;

/** Where the last whole sentence or line of a growing Markdown text ends, code blocks taken as wholes; `from` where none has ended since. */
export function sentencesEnd(markdown: string, from: number): number {
  let end = from;
  let isCode = false;
  for (let at = from; at < markdown.length; ) {
    const lineEnd = markdown.indexOf('\n', at);
    const isWhole = lineEnd >= 0;
    const next = isWhole ? lineEnd + 1 : markdown.length;
    const line = markdown.slice(at, next);
    const isFence = FENCE.test(line);
    if (isFence) isCode = !isCode;
    if (!isCode && isWhole) end = next;
    else if (!isCode && !isFence) end = at + (lastEnd(line) ?? end - at);
    at = next;
  }
  return end;
}

function lastEnd(line: string): number | null {
  const last = [...line.matchAll(SENTENCE_END)].at(-1);
  return last ? last.index + last[0].length : null;
}

/** Markdown as it is read aloud: without its marks, and `code` in the place of a code block. */
export function readAloud(markdown: string, code: string): string {
  return markdown
    .replace(/^\s*(```|~~~)[\s\S]*?^\s*\1[^\n]*$/gm, code)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*\|?[\s:|-]+\|\s*$/gm, ' ')
    .replace(/^\s*(#{1,6}|>|[-*+])\s+/gm, '')
    .replace(/[*_`|]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
