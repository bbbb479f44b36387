import newsreader from '@fontsource/newsreader/files/newsreader-latin-500-normal.woff2?url';
import newsreaderStrong from '@fontsource/newsreader/files/newsreader-latin-600-normal.woff2?url';
import sourceSans from '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2?url';
import type { Language } from '#contract/choices.ts';

/** Beside Chinese headlines the Latin ones are as heavy. */
const HEADLINES = { zh: newsreaderStrong, en: newsreader };

/** The addresses of the faces that a page shows at once. `language`: null where the page is built before its reader's is known. */
export function facesOf(language: Language | null): string[] {
  return language ? [sourceSans, HEADLINES[language]] : [sourceSans];
}
