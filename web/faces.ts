import newsreader from '@fontsource/newsreader/files/newsreader-latin-500-normal.woff2?url';
import newsreaderStrong from '@fontsource/newsreader/files/newsreader-latin-600-normal.woff2?url';
import sourceSans from '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2?url';
import type { Language } from '#contract/choices.ts';

/** The addresses of the faces that a page of a language shows at once. Beside Chinese headlines the Latin ones are as heavy. */
export const FACES: Record<Language, readonly string[]> = {
  zh: [sourceSans, newsreaderStrong],
  en: [sourceSans, newsreader],
};
