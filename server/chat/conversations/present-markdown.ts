import type { Language } from '#contract/choices.ts';
import { translate } from '#server/platform/translate.ts';
import type { ConversationRow } from '../tree/conversation-store.ts';
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
    ...(message.response === '' ? [] : [message.response]),
  ];
  return `\n${parts.join('\n\n').trimEnd()}\n`;
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
