import type { SourcesPart } from '#contract/message/parts.ts';
import { cleanText } from '#server/platform/clean-text.ts';
import type { AnswerSink } from '../transport/answer-reader.ts';
import { asObject } from '../transport/provider-refusal.ts';

/** More searches than any answer runs. */
const MAX_QUERIES = 100;
const MAX_SOURCES = 200;
const MAX_SUPPORTS = 2_000;

function listOf(value: unknown, limit: number): Record<string, unknown>[] {
  return (Array.isArray(value) ? value.slice(0, limit) : []).map(asObject);
}

/**
 * Gathers where an answer comes from (ai.google.dev/api/generate-content, `GroundingMetadata`). Google counts places in UTF-8
 * bytes of the text; a part of ours counts in UTF-16 code units of the text as it is stored.
 */
export class SourcesReader {
  private text = '';
  private metadata: Record<string, unknown> | null = null;

  /** Text on its way to the sink. */
  hear(sink: AnswerSink): AnswerSink['onText'] {
    return (text) => {
      this.text += text;
      sink.onText(text);
    };
  }

  /** Takes the newest metadata, which tells all that was found so far; returns how many searches were run. */
  read(metadata: object): number {
    this.metadata = { ...this.metadata, ...metadata };
    return this.queries().length;
  }

  /** What was found; null when nothing was searched. */
  end(): SourcesPart | null {
    if (this.metadata === null) return null;
    const { groundingChunks, groundingSupports, searchEntryPoint } = this.metadata;
    const sources = listOf(groundingChunks, MAX_SOURCES).map(({ web }) => ({
      url: cleanText(String(asObject(web).uri ?? '')),
      title: cleanText(String(asObject(web).title ?? '')),
    }));
    const queries = this.queries();
    if (sources.length === 0 && queries.length === 0) return null;
    const places = placesOf(this.text);
    const placeAt = (byte: unknown) => (typeof byte === 'number' ? (places[byte] ?? null) : null);
    const supports = listOf(groundingSupports, MAX_SUPPORTS).flatMap((support) => {
      const segment = asObject(support.segment);
      const start = placeAt(segment.startIndex ?? 0);
      const end = placeAt(segment.endIndex);
      const indices: unknown[] = Array.isArray(support.groundingChunkIndices)
        ? support.groundingChunkIndices
        : [];
      const behind = indices.filter(
        (index): index is number => typeof index === 'number' && index in sources,
      );
      return start === null || end === null || start >= end || behind.length === 0
        ? []
        : [{ start, end, sources: behind }];
    });
    const suggestions = asObject(searchEntryPoint).renderedContent;
    return {
      kind: 'sources',
      sources,
      supports,
      queries,
      ...(typeof suggestions === 'string' ? { suggestions: cleanText(suggestions) } : {}),
    };
  }

  private queries(): string[] {
    const given: unknown = this.metadata?.webSearchQueries;
    const list: unknown[] = Array.isArray(given) ? given : [];
    return list
      .filter((query) => typeof query === 'string')
      .slice(0, MAX_QUERIES)
      .map(cleanText);
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
