/** 128K in both languages, as model lists write it. */
const SIZE = new Intl.NumberFormat('en', { notation: 'compact' });

/** Tokens of context in short: `128K`. */
export function contextSize(tokens: number | null): string {
  return SIZE.format(tokens ?? 0);
}
