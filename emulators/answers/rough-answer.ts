const row = (cells: number, text: string) => `|${`${text}|`.repeat(cells)}\n`;

/** Answers that break renderers, by what is rough about them. */
const KINDS: Record<string, () => string> = {
  code: () => `\`\`\`ts\n${"const answer: number = 40 + 2; // so 'it' is\n".repeat(5_000)}\`\`\``,
  table: () => row(200, 'head') + row(200, '---') + row(200, '**cell**').repeat(30),
  rows: () => row(4, 'head') + row(4, '---') + row(4, 'a `cell`').repeat(2_000),
  quotes: () => `${'> '.repeat(10_000)}deep`,
  lists: () => `${'- '.repeat(10_000)}deep`,
  steps: () => Array.from({ length: 300 }, (_, depth) => `${'  '.repeat(depth)}- level ${depth}`).join('\n'),
  stars: () => `${'**a'.repeat(10_000)}\n\n${'a**b'}${'c* '.repeat(10_000)}\n\n${'*'.repeat(20_000)}`,
  brackets: () => `${'['.repeat(10_000)}\n\n${'[a]('.repeat(5_000)}\n\n${'![['.repeat(5_000)}`,
  dollars: () => `${'$a '.repeat(10_000)}\n\n${'$$ a\n'.repeat(10_000)}\n\n${'\\[a'.repeat(5_000)}`,
  word: () => `${'x'.repeat(20_000)}\n\n${'长'.repeat(20_000)}\n\n\`${'y'.repeat(5_000)}\``,
  html: () => `${'<a '.repeat(10_000)}\n\n${'<!-- '.repeat(5_000)}\n\n<div onclick="x">`,
  million: () =>
    `## Part\n\n**Some** text with \`code\`, a [link](https://example.com) and 中文。\n\n- one\n- two\n\n`.repeat(
      11_000,
    ),
  fence: () => 'Before\n\n```ts\nconst half = 1;',
};

/** The roughest answers there are; an unknown kind is the list of kinds. */
export function writeRoughAnswer(kind: string): string {
  return Object.hasOwn(KINDS, kind) ? (KINDS[kind]?.() ?? '') : Object.keys(KINDS).join(', ');
}
