import type { Language } from '#contract/choices.ts';
import type { AnswerPart, SourcesPart } from '#contract/message/parts.ts';
import { translate } from '#server/platform/translate.ts';
import type { ConversationRow } from '../tree/conversation-store.ts';
import { readParts } from '../tree/message-parts.ts';
import type { MessageRow } from '../tree/store.ts';

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

/** A prompt and its answer, with when, by which model and for how many credits. */
export function presentMarkdownTurn(message: MessageRow, language: Language): string {
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
    `## ${translate(language, 'export.answer')}`,
    `*${details.join(' · ')}*`,
    ...writeAnswer(message),
  ];
  return `\n${parts.join('\n\n').trimEnd()}\n`;
}

/** An answer with what it has besides text, each part in its place; sources as footnotes. */
function writeAnswer({ output, response }: MessageRow): string[] {
  const parts = readParts(output, response);
  if (!parts) return response === '' ? [] : [response];
  const marks = parts.flatMap((part) => (part.kind === 'sources' ? part.supports : []));
  let at = 0;
  const written = parts.map((part) => {
    if (part.kind !== 'text') return writePart(part);
    const from = at;
    at += part.text.length;
    return writeMarks(part.text, from, marks);
  });
  return written.filter((part) => part !== '');
}

/** A text of the answer that begins at a place of it, with the marks of the footnotes behind what they support. */
function writeMarks(text: string, from: number, marks: SourcesPart['supports']): string {
  let marked = '';
  let at = 0;
  const own = marks.filter(({ end }) => end > from && end <= from + text.length);
  for (const { end, sources } of own.toSorted((one, other) => one.end - other.end)) {
    marked += text.slice(at, end - from) + sources.map((source) => `[^${source + 1}]`).join('');
    at = end - from;
  }
  return marked + text.slice(at);
}

function writePart(part: AnswerPart): string {
  if (part.kind === 'code') return fence(part.code, part.language);
  if (part.kind === 'output') return fence(part.text.trimEnd(), '');
  if (part.kind === 'call') return fence(`${part.name}(${part.args})`, '');
  if (part.kind === 'result') return fence(part.output, '');
  if (part.kind !== 'sources') return '';
  return part.sources.map((source, index) => `[^${index + 1}]: ${writeSource(source)}`).join('\n');
}

function writeSource({ url, title }: SourcesPart['sources'][number]): string {
  const name = (title || url).replace(/[[\]\\]/g, '\\$&').replace(/\s+/g, ' ');
  return `[${name}](<${url.replace(/[<>\s]/g, encodeURIComponent)}>)`;
}

/** Code between fences longer than any within. */
function fence(code: string, language: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = '`'.repeat(longest + 1);
  return `${mark}${language}\n${code}\n${mark}`;
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
