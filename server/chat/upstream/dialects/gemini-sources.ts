import type { ReadPage, SourcesPart } from '#contract/message/parts.ts';
import { cleanName, cleanText } from '#server/platform/clean-text.ts';
import { asObject } from '../transport/provider-refusal.ts';
import type { GeminiPart } from './gemini-parts.ts';

/** More searches than any answer runs. */
const MAX_QUERIES = 100;
const MAX_QUERY = 1_000;
const MAX_SOURCES = 200;
const MAX_TITLE = 300;
const MAX_SUPPORTS = 2_000;
/** Google opens no more addresses for one question. */
const MAX_PAGES = 20;
const MAX_URL = 4_000;
/** Parts with text of one answer that places are looked for in. */
const MAX_TEXTS = 50;
/** Bytes of the answer that are searched for texts whose places do not hold. */
const MAX_SEARCHED = 100_000_000;
/** Google's own are some thousands of characters. Longer ones are left out: they are shown as they are, or not at all. */
const MAX_SUGGESTIONS = 64_000;

const PAGE_STATUS = new Map<unknown, ReadPage['status']>([
  ['URL_RETRIEVAL_STATUS_SUCCESS', 'read'],
  ['URL_RETRIEVAL_STATUS_PAYWALL', 'paywalled'],
  ['URL_RETRIEVAL_STATUS_UNSAFE', 'refused'],
]);

function listOf(value: unknown, limit: number): Record<string, unknown>[] {
  return (Array.isArray(value) ? value.slice(0, limit) : []).map(asObject);
}

/**
 * An address of the web as it may be shown and opened: its host in Punycode, without a user name that looks like a host. Empty where
 * it leads elsewhere, such as `javascript:`.
 */
function cleanUrl(value: unknown): string {
  const url = typeof value === 'string' && value.length <= MAX_URL ? URL.parse(cleanText(value)) : null;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return '';
  url.username = '';
  url.password = '';
  return url.href;
}

function readPages(metadata: Record<string, unknown> | null): ReadPage[] {
  return listOf(metadata?.urlMetadata, MAX_PAGES).flatMap(({ retrievedUrl, urlRetrievalStatus }) => {
    const url = cleanUrl(retrievedUrl);
    return url === '' ? [] : [{ url, status: PAGE_STATUS.get(urlRetrievalStatus) ?? 'failed' }];
  });
}

/**
 * Collects the sources of an answer (ai.google.dev/api/generate-content, `GroundingMetadata` and `UrlContextMetadata`). Three systems of
 * places meet here: Google counts UTF-8 bytes within one part of the answer; our parts count UTF-16 code units of the stored text. In “价格
 * 5” byte 7 of the part is code unit 3.
 */
export class SourcesReader {
  private text = '';
  /** Where each part with text begins in the whole text, by the number of the part. Streamed pieces are one part. */
  private readonly begins = new Map<number, number>();
  private partCount = 0;
  private lastKind: 'text' | 'thought' | 'other' = 'other';
  private metadata: Record<string, unknown> | null = null;
  private opened: Record<string, unknown> | null = null;

  /** Takes all parts of an event, in their order. */
  addParts(parts: readonly (GeminiPart | null)[]) {
    for (const part of parts) {
      const text = typeof part?.text === 'string' ? part.text : null;
      const kind = text === null ? 'other' : part?.thought === true ? 'thought' : 'text';
      if (kind === 'other' || kind !== this.lastKind) {
        if (kind === 'text' && this.begins.size < MAX_TEXTS)
          this.begins.set(this.partCount, this.text.length);
        this.partCount += 1;
      }
      this.lastKind = kind;
      if (kind === 'text') this.text += text ?? '';
    }
  }

  /** Takes the newest metadata, which contains all sources so far. Returns how many searches were run. */
  read(metadata: object): number {
    this.metadata = { ...this.metadata, ...metadata };
    return this.queries().length;
  }

  /** Takes the newest report on which URLs of the question were opened. */
  readAddresses(metadata: object) {
    this.opened = { ...this.opened, ...metadata };
  }

  /** The sources; null when nothing was searched or opened. */
  end(): SourcesPart | null {
    const sources = listOf(this.metadata?.groundingChunks, MAX_SOURCES).map(({ web }) => {
      const { uri, title } = asObject(web);
      return {
        url: cleanUrl(uri),
        title: typeof title === 'string' ? cleanName(title.slice(0, MAX_TITLE)) : '',
      };
    });
    const queries = this.queries();
    const pages = readPages(this.opened);
    if (sources.length === 0 && queries.length === 0 && pages.length === 0) return null;
    const suggestions = asObject(this.metadata?.searchEntryPoint).renderedContent;
    const areShown = typeof suggestions === 'string' && suggestions.length <= MAX_SUGGESTIONS;
    return {
      kind: 'sources',
      sources,
      supports: sources.length === 0 ? [] : this.supports(sources.length),
      queries,
      ...(areShown ? { suggestions: cleanText(suggestions) } : {}),
      ...(pages.length > 0 ? { pages } : {}),
    };
  }

  private supports(sourceCount: number): SourcesPart['supports'] {
    const places = placesOf(this.text);
    const spanOf = this.findSpans();
    return listOf(this.metadata?.groundingSupports, MAX_SUPPORTS).flatMap((support) => {
      const span = spanOf(asObject(support.segment)) ?? [0, 0];
      const [start, end] = [places[span[0]] ?? 0, places[span[1]] ?? 0];
      const indices: unknown[] = Array.isArray(support.groundingChunkIndices)
        ? support.groundingChunkIndices
        : [];
      const behind = indices.filter(
        (index): index is number =>
          Number.isInteger(index) && Number(index) >= 0 && Number(index) < sourceCount,
      );
      return start >= end || behind.length === 0
        ? []
        : [{ start, end, sources: behind.slice(0, MAX_SOURCES) }];
    });
  }

  /**
   * Finds the bytes of the text that a segment is about. Google counts them in the part that it names, and leaves the number of the
   * part out where it counts in the whole text: the places that have the text of the segment are right. Null where none have.
   */
  private findSpans(): (segment: Record<string, unknown>) => [number, number] | null {
    const bytes = Buffer.from(this.text);
    const bases = new Map<number, number>();
    let [at, base] = [0, 0];
    for (const [part, begin] of this.begins) {
      base += Buffer.byteLength(this.text.slice(at, begin));
      bases.set(part, base);
      at = begin;
    }
    let searched = 0;
    return ({ partIndex = 0, startIndex = 0, endIndex, text }) => {
      const said = typeof text === 'string' && text !== '' ? Buffer.from(text) : null;
      const named = partIndex === 0 ? 0 : (bases.get(Number(partIndex)) ?? null);
      const spanFrom = (from: number): [number, number] | null => {
        const [start, end] = [from + Number(startIndex), from + Number(endIndex)];
        const isWithin =
          Number.isInteger(start) && Number.isInteger(end) && start >= from && end <= bytes.length;
        if (!isWithin || start >= end) return null;
        return said === null || bytes.subarray(start, end).equals(said) ? [start, end] : null;
      };
      if (said === null) return named === null ? null : spanFrom(named);
      for (const from of [...(named === null ? [] : [named]), 0, ...bases.values()]) {
        const span = spanFrom(from);
        if (span) return span;
      }
      if (searched >= MAX_SEARCHED) return null;
      searched += bytes.length;
      const first = bytes.indexOf(said);
      const isOnly = first !== -1 && first === bytes.lastIndexOf(said);
      return isOnly ? [first, first + said.length] : null;
    };
  }

  /** The different queries; Google lists empty ones too, and bills neither those nor the same one twice (gemini-api/docs/google-search). */
  private queries(): string[] {
    const given: unknown = this.metadata?.webSearchQueries;
    const list: unknown[] = Array.isArray(given) ? given : [];
    const queries = list
      .filter((query) => typeof query === 'string')
      .map((query) => cleanText(query.slice(0, MAX_QUERY)).trim())
      .filter((query) => query !== '');
    return [...new Set(queries)].slice(0, MAX_QUERIES);
  }
}

/** The place in the stored text for each place in the bytes of a text; inside a character, behind its first code unit. */
function placesOf(text: string): Uint32Array {
  const places = new Uint32Array(Buffer.byteLength(text) + 1);
  let place = 0;
  let byte = 0;
  for (const character of text) {
    const units = cleanText(character).length;
    const end = byte + Buffer.byteLength(character);
    places.fill(place + Math.min(units, 1), byte + 1, end);
    byte = end;
    place += units;
    places[byte] = place;
  }
  return places;
}
