import type { ModelRoute, UpstreamChains } from './upstream-chains.ts';

/** How a model is given a file: seen, read page by page, or as the text that was found in it. */
export type GivenAs = 'picture' | 'document' | 'text';

/** What decides how a file is read, and what that takes. */
export interface ReadableFile {
  /** MIME type, found in its bytes. */
  type: string;
  /** Null where it has none. */
  pages: number | null;
  /** Tokens of the text found in it; null: none was found. */
  textTokens: number | null;
}

type Reader = Pick<ModelRoute, 'dialect' | 'reads'>;

/** Tokens of a picture and of a page of a PDF, by Gemini's default resolution (ai.google.dev/gemini-api/docs/media-resolution). */
export const PICTURE_TOKENS = 1_120;
const PAGE_TOKENS = 560;

/** Tokens of a PDF that is read page by page; one that says nothing of its pages has one. */
export const documentTokens = (pages: number | null): number => PAGE_TOKENS * Math.max(1, pages ?? 1);

/** Types that only Gemini accepts. New uploads are converted to JPEG; HEIC remains only in old rows. */
const HEIC: ReadonlySet<string> = new Set(['image/heic', 'image/heif']);

/** How the model of a route is given a file; null where it cannot be. Gemini's models see pictures and read PDF themselves. */
export function givenAs({ type, textTokens }: Omit<ReadableFile, 'pages'>, route: Reader): GivenAs | null {
  const isGemini = route.dialect === 'gemini';
  const takes = (kind: Reader['reads'][number]) => isGemini || route.reads.includes(kind);
  if (type.startsWith('image/') && takes('images') && (isGemini || !HEIC.has(type))) return 'picture';
  if (type === 'application/pdf' && takes('files')) return 'document';
  return textTokens === null ? null : 'text';
}

/** Tokens that the model of a route reads of a file in one turn, as they are charged; null where it cannot read it. */
export function fileTokens(file: ReadableFile, route: Reader): number | null {
  const reading = givenAs(file, route);
  if (reading === 'picture') return PICTURE_TOKENS;
  if (reading === 'document') return documentTokens(file.pages);
  return reading === 'text' ? file.textTokens : null;
}

/** The same for a catalogue model: the most that any route of its chain reads; null where one of them cannot. */
export function fileTokensOf(file: ReadableFile, modelId: string, chains: UpstreamChains): number | null {
  let most = 0;
  for (const route of chains[modelId] ?? []) {
    const tokens = fileTokens(file, route);
    if (tokens === null) return null;
    most = Math.max(most, tokens);
  }
  return most;
}
