/** Code as Markdown, between fences longer than any within; `language` is the name behind the first one, and may be empty. */
export function writeFence(code: string, language: string): string {
  const runs = code.match(/`+/g) ?? [];
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 2);
  const mark = '`'.repeat(longest + 1);
  return `${mark}${language}\n${code}\n${mark}`;
}
