import { nameSource } from '#contract/message/name-source.ts';
import type { AnswerPart } from '#contract/message/parts.ts';
import type { Annotation } from '#contract/openai.ts';

/** More than any answer has; it bounds what one support that names every page can make of itself. */
const MAX_ANNOTATIONS = 2_000;
const WEB = /^https?:\/\//i;

/**
 * The pages that stand behind an answer, as OpenAI's clients get them; undefined without any. Its documentation counts in
 * “characters”: we count code points, as Python does, where ours are UTF-16 code units. They differ only behind an emoji and the like.
 */
export function presentAnnotations(parts: readonly AnswerPart[], response: string): Annotation[] | undefined {
  const annotations: Annotation[] = [];
  const pointsBefore = countPoints(response);
  for (const part of parts) {
    if (part.kind !== 'sources') continue;
    for (const { start, end, sources } of part.supports) {
      for (const source of sources) {
        const page = part.sources[source];
        if (!page || !WEB.test(page.url) || annotations.length >= MAX_ANNOTATIONS) continue;
        const { url } = page;
        const { title } = nameSource(page);
        const place = { start_index: pointsBefore(start), end_index: pointsBefore(end) };
        annotations.push({ type: 'url_citation', url_citation: { ...place, url, title } });
      }
    }
  }
  return annotations.length > 0 ? annotations : undefined;
}

/** Tells how many code points stand before a place in UTF-16 code units. */
function countPoints(text: string): (place: number) => number {
  const seconds: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if ((text.codePointAt(at) ?? 0) <= 0xffff) continue;
    at += 1;
    seconds.push(at);
  }
  return (place) => {
    let [low, high] = [0, seconds.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((seconds[middle] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    return place - low;
  };
}
