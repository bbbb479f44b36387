import type { ResultPart } from '#contract/message/parts.ts';
import type { FilePart, MediaPart, SeenPart, Turn, TurnPart } from './upstream.ts';

/** The text of a turn, joined; other parts are left out. */
export function textOf({ parts }: Pick<Turn, 'parts'>): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

/** Whether the calls and results of neighbouring turns belong to each other: every provider refuses a turn where they do not. */
export function areCallsAnswered(calls: readonly string[], next: Turn | undefined): boolean {
  const results = next?.role === 'user' ? next.parts.filter(isAnswerToCall) : [];
  return calls.length === results.length && calls.every((id) => results.some((result) => result.id === id));
}

function isAnswerToCall(part: TurnPart): part is ResultPart | SeenPart {
  return part.kind === 'result' || part.kind === 'seen';
}

/** The ids of the calls of a turn, in their order. */
export function callsOf({ parts }: Pick<Turn, 'parts'>): string[] {
  return parts.flatMap((part) => (part.kind === 'call' ? [part.id] : []));
}

/** A part in words, for a model that cannot be given it as it is. */
export function sayPart(part: TurnPart): string {
  if (part.kind === 'text') return part.text;
  if (part.kind === 'call') return `[${part.name}(${part.args})]`;
  if (part.kind === 'code') return `\n\n\`\`\`${part.language}\n${part.code}\n\`\`\`\n\n`;
  if (part.kind === 'output') return `\n\n\`\`\`\n${part.text}\n\`\`\`\n\n`;
  if (part.kind === 'seen') return `[${part.name}: ${part.response}]`;
  if (part.kind === 'result') return `[${part.name}: ${part.output}]`;
  return `[${sayMedia(part)}]`;
}

/** Whether a part is a file that is not opened yet. */
export function isFile(part: TurnPart): part is FilePart {
  return part.kind === 'file';
}

/** The name of a file that is not read. */
export function sayFile(type: string, name: string | null): string {
  return `[${sayMedia({ type, name })}]`;
}

function sayMedia({ type, name }: Pick<MediaPart, 'type' | 'name'>): string {
  const kind = type.startsWith('image/') ? 'image' : 'file';
  return name === null ? kind : `${kind}: ${name}`;
}

/** The turns in a form that every model can read: without the parts that one model wrote for itself. */
export function withoutKept(turns: readonly Turn[]): Turn[] {
  return turns.map(({ role, parts }) => ({ role, parts }));
}
