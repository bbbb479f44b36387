/**
 * A line of text that is cut before its end where there is no room: the end, found by `end`, stays. What is called by it needs an
 * `aria-label`: its two halves would be read as two words.
 */
export function CutText({ text, end }: { text: string; end: RegExp }) {
  const at = text.search(end);
  const start = at > 0 ? text.slice(0, at) : text;
  return (
    <span className="flex min-w-0">
      <span className="overflow-hidden text-ellipsis whitespace-pre">{start}</span>
      <span className="shrink-0 whitespace-pre">{text.slice(start.length)}</span>
    </span>
  );
}

/** The ending of a file's name. */
export const FILE_ENDING = /\.[^.]{1,9}$/u;
