/** Ends of sentences in both languages, and of lines. A full stop counts before a blank only: `3.14` goes on. */
const END = /[。！？!?…]+["'”’」』）)]*|\.["'”’)]*(?=\s)|\n+/g;

/** What of a growing answer can be said aloud: its whole sentences, all of them once it `ended`, without code and marks. */
export function speakable(text: string, ended: boolean): string {
  const whole = ended ? text : text.slice(0, endOfSentences(text));
  return whole
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[ \t]*(?:#+|>|[-*+]|\|[-:| ]+\|$)[ \t]*/gm, '')
    .replace(/[*_`|~]/g, '')
    .replace(/\s+/g, ' ');
}

function endOfSentences(text: string): number {
  let end = 0;
  for (const { index, 0: mark } of text.matchAll(END)) end = index + mark.length;
  return end;
}
