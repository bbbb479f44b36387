import type { Message } from '#contract/chat.ts';
import { composeSource } from '#contract/message/compose-line.ts';
import type { SourcesPart } from '#contract/message/parts.ts';
import { writeFence } from '#contract/message/write-fence.ts';
import { footnoteLabel, writeFootnotes } from '#contract/message/write-footnotes.ts';
import { type Stretch, viewEnded } from './read-parts.ts';

/**
 * An answer as Markdown, for copying: its text with footnotes, code that ran and what it printed between fences, pictures by their
 * address at `origin`.
 */
export function copyAnswer(message: Message, origin: string): string {
  const { stretches, sources } = viewEnded(message);
  const labelOf = (source: number) => footnoteLabel(message.id, source);
  const written = stretches.map((stretch) =>
    stretch.kind === 'text'
      ? writeFootnotes(stretch.text, supportsOf(sources, stretch), labelOf).trimEnd()
      : writePart(stretch, origin),
  );
  const notes = sources?.sources.map((source, place) => `${labelOf(place)}: ${composeSource(source)}`) ?? [];
  return [...written, notes.join('\n')].filter((part) => part !== '').join('\n\n');
}

function supportsOf(sources: SourcesPart | null, { start, text }: Extract<Stretch, { kind: 'text' }>) {
  const own = sources?.supports.filter(({ end }) => end > start && end <= start + text.length) ?? [];
  return own.map((support) => ({ end: support.end - start, sources: support.sources }));
}

function writePart({ part, outputs }: Extract<Stretch, { kind: 'part' }>, origin: string): string {
  if (part.kind === 'image') {
    const alt = part.alt?.replace(/[[\]\\\s]+/g, ' ').trim() ?? '';
    return `![${alt}](${origin}/api/files/${part.fileId}/content)`;
  }
  const code =
    part.kind === 'code'
      ? [writeFence(part.code.trimEnd(), part.language.toLowerCase())]
      : [writeFence(part.text.trimEnd(), '')];
  return [...code, ...outputs.map(({ text }) => writeFence(text.trimEnd(), ''))].join('\n\n');
}
