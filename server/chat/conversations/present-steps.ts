import type { Language } from '#contract/choices.ts';
import { composeAddress, composeLine } from '#contract/message/compose-line.ts';
import type { ConfirmationPart, StepPart } from '#contract/message/parts.ts';
import { sayAction } from '#i18n/say-action.ts';
import { translate } from '#server/platform/translate.ts';

/** Where a file of the conversation is, for who reads the export. */
export type FileLink = (fileId: string) => string;

/** A step of a browser as one line of a list: its number, what for, or else what it was, the page, and its picture. */
export function presentStep(step: StepPart, language: Language, linkOf: FileLink): string {
  const what =
    composeLine(step.intent) || composeLine(sayAction((...key) => translate(language, ...key), step));
  const address = step.url === '' ? '' : ` — ${composeAddress(step.url)}`;
  const shows = translate(language, 'computer.picture', { n: step.n });
  const picture = step.fileId === null ? '' : ` · [${shows}](${linkOf(step.fileId)})`;
  const offered = (step.files ?? []).map(
    ({ name }) => ` · ${composeLine(translate(language, 'computer.keep.ofStep', { name }))}`,
  );
  const error = step.error ? ` · ${translate(language, `computer.stepError.${step.error}`)}` : '';
  return `${step.n}. ${what}${address}${error}${picture}${offered.join('')}`;
}

/** What a browser asked its user, and what they said. */
export function presentQuestion({ reason, state, params }: ConfirmationPart, language: Language): string {
  const site = String(params.site || params.page || '');
  const asked = translate(language, `computer.ask.title.${reason}`, { site });
  const said = state === 'waiting' ? '' : ` ${translate(language, `computer.ask.done.${state}`)}`;
  return `- ${composeLine(asked)}${said}`;
}
