import type { Language } from '#contract/choices.ts';
import { composeAddress, composeLine, composeSource } from '#contract/message/compose-line.ts';
import type { AnswerPart, SourcesPart } from '#contract/message/parts.ts';
import { writeFence } from '#contract/message/write-fence.ts';
import { footnoteLabel, writeFootnotes } from '#contract/message/write-footnotes.ts';
import { dayOf } from '#contract/time.ts';
import { translate } from '#server/platform/translate.ts';
import type { ConversationRow } from '../message-store/conversation-store.ts';
import { readParts } from '../message-store/message-parts.ts';
import type { MessageRow } from '../message-store/store.ts';
import { type FileLink, presentQuestion, presentStep } from './present-steps.ts';
import { presentTable } from './present-table.ts';

const STATUS = {
  running: 'chat.statusRunning',
  stopped: 'chat.statusStopped',
  interrupted: 'chat.statusInterrupted',
  failed: 'chat.statusFailed',
} as const;

/** What an exported conversation begins with. */
export function presentMarkdownHead({ title }: ConversationRow, at: Date, language: Language): string {
  return `# ${title}\n\n*${translate(language, 'export.at', { time: timeOf(at) })}*\n`;
}

/** The page of the product that shows a file. */
const onSite: FileLink = (fileId) => `/api/files/${fileId}/content`;

/** A prompt and its answer, with when, by which model and for how many credits. */
export function presentMarkdownTurn(
  message: MessageRow,
  language: Language,
  linkOf: FileLink = onSite,
): string {
  const { model, modelVersion, status, creditsUsed, errorCode } = message;
  const details = [
    modelVersion === null || modelVersion === model ? model : `${model} (${modelVersion})`,
    translate(language, 'chat.charged', { credits: creditsUsed }),
    ...(status === 'completed' ? [] : [translate(language, STATUS[status])]),
    ...(errorCode === null ? [] : [translate(language, `errors.${errorCode}`)]),
  ];
  const parts = [
    `## ${translate(language, 'export.prompt')}`,
    `*${timeOf(message.createdAt)}*`,
    message.content,
    ...writeGiven(message, linkOf),
    `## ${translate(language, 'export.answer')}`,
    `*${details.join(' · ')}*`,
    ...writeAnswer(message, language, linkOf),
  ];
  return `\n${parts.join('\n\n').trimEnd()}\n`;
}

/** The files that were sent with a prompt. */
function writeGiven({ input }: MessageRow, linkOf: FileLink): string[] {
  return (input?.parts ?? []).flatMap((part) => {
    if (part.kind === 'text') return [];
    const name = part.kind === 'file' ? part.name : (part.alt ?? '');
    return [`[${composeLine(name) || '?'}](${linkOf(part.fileId)})`];
  });
}

/** An answer with what it has besides text, each part in its place; sources as footnotes, what a browser did as a list. */
function writeAnswer(message: MessageRow, language: Language, linkOf: FileLink): string[] {
  const { output, response } = message;
  const parts = readParts(output, response);
  if (!parts) return response === '' ? [] : [response];
  const marks = parts.flatMap((part) => (part.kind === 'sources' ? part.supports : []));
  const blocks: string[] = [];
  let at = 0;
  let isList = false;
  for (const part of parts) {
    const line = writeListed(part, language, linkOf);
    if (line !== null) {
      blocks.push(isList ? `${blocks.pop()}\n${line}` : line);
      isList = true;
      continue;
    }
    const from = at;
    if (part.kind === 'text') at += part.text.length;
    const block =
      part.kind === 'text'
        ? writeMarks(part.text, from, marks, message.id)
        : writePart(part, message, language, linkOf);
    if (block === '') continue;
    blocks.push(block);
    isList = false;
  }
  return blocks;
}

/** What is a line of a list; null for other parts. */
function writeListed(part: AnswerPart, language: Language, linkOf: FileLink): string | null {
  if (part.kind === 'step') return presentStep(part, language, linkOf);
  return part.kind === 'confirmation' ? presentQuestion(part, language) : null;
}

/** A text of the answer that begins at a place of it, with the footnotes of what it supports. */
function writeMarks(text: string, from: number, marks: SourcesPart['supports'], messageId: string): string {
  const own = marks.filter(({ end }) => end > from && end <= from + text.length);
  return writeFootnotes(
    text,
    own.map(({ end, sources }) => ({ end: end - from, sources })),
    (source) => footnoteLabel(messageId, source),
  );
}

function writePart(part: AnswerPart, message: MessageRow, language: Language, linkOf: FileLink): string {
  if (part.kind === 'code') return writeFence(part.code, part.language);
  if (part.kind === 'output') return part.text.trim() === '' ? '' : writeFence(part.text.trimEnd(), '');
  if (part.kind === 'call') return writeFence(`${part.name}(${part.args})`, '');
  if (part.kind === 'result') return writeFence(part.output, '');
  if (part.kind === 'table') return presentTable(part, language);
  if (part.kind === 'image') return `![${composeLine(part.alt ?? '')}](${linkOf(part.fileId)})`;
  return part.kind === 'sources' ? writeSources(part, message, language) : '';
}

/** The addresses that were opened, with whether they could be read, and the footnotes: title, site and day of the search. */
function writeSources(
  { sources, pages = [] }: SourcesPart,
  { id, createdAt, endedAt }: MessageRow,
  language: Language,
): string {
  const opened = pages.map(
    ({ url, status }) => `- ${composeAddress(url)} — ${translate(language, `pagesRead.${status}`)}`,
  );
  const date = dayOf(endedAt ?? createdAt);
  const searched = translate(language, 'export.searched', { date });
  const notes = sources.map(
    (source, index) => `${footnoteLabel(id, index)}: ${composeSource(source)} · ${searched}`,
  );
  return [opened, notes]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

/** A file name for a title, without what file systems refuse. */
export function fileNameOf(title: string, extension: string): string {
  const name = title
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\/:*?"<>|]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, 80)
    .toWellFormed()
    .replaceAll('\uFFFD', '')
    .replace(/^[. ]+|[. ]+$/g, '');
  return `${name || 'conversation'}.${extension}`;
}

function timeOf(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
