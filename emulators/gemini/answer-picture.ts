import { createHash } from 'node:crypto';
import { detectLanguage } from '../answers/topic.ts';
import type { PlannedAnswer, Question } from '../plan-answer.ts';
import { numberParam, readCommand } from '../scenario.ts';
import type { Beat, Script } from '../script.ts';
import { drawPicture } from './draw-picture.ts';

/** A picture in a request or an answer, as the wire names it. */
export interface PicturePart {
  inlineData: { mimeType: string; data: string };
  thoughtSignature?: string;
}

/** Of the very bytes: a model that gets another picture back with it refuses it. */
export function signatureOf(model: string, base64: string): string {
  return `sig/${model}/${createHash('sha256').update(base64).digest('hex')}`;
}

const SAID = {
  zh: ['好的，这是按你的描述画的：', '改好了：', '你想要什么风格？先告诉我再画。'],
  en: [
    'Here is an image of what you describe:',
    'Here is the picture with your change:',
    'Which style do you have in mind?',
  ],
} as const;

/** The stagings of text are those of every model. */
function isAboutPictures({ scenario }: PlannedAnswer): boolean {
  return scenario === null || scenario.name === 'slow-first-token' || scenario.name.includes('picture');
}

function askedOf({ turns }: Question): string {
  const asked = turns.at(-1)?.text ?? '';
  return readCommand(asked)?.rest ?? asked;
}

/**
 * The answer of a model that makes pictures: a line, the picture with its signature, the end
 * (https://ai.google.dev/gemini-api/docs/image-generation). Scenarios leave the picture out, spoil it, or break off behind it.
 * Null of any other model, and of the stagings of text.
 */
export async function answerPicture(question: Question, planned: PlannedAnswer): Promise<Script | null> {
  if (!question.picture || !isAboutPictures(planned)) return null;
  const { model, picture } = question;
  const order = { ...picture, prompt: askedOf(question) };
  const { scenario } = planned;
  const [fresh, changed, asks] = SAID[detectLanguage(order.prompt)];
  const name = scenario?.name;
  const at = numberParam(scenario, 'ms', 30);
  const say = (text: string) => eventOf([{ text }]);
  const finish = (reason: string) => eventOf([], reason);
  const play = (...events: string[]) =>
    [...events.map((bytes, n): Beat => ({ at: at + 20 * n, step: { kind: 'raw', bytes } }))] as Beat[];
  const end: Beat = { at: at + 100, step: { kind: 'end' } };
  const reason = String(scenario?.params.reason ?? (name === 'no-picture' ? 'NO_IMAGE' : 'IMAGE_SAFETY'));
  if (name === 'no-picture' || name === 'picture-blocked') return [...play(finish(reason)), end].values();
  if (name === 'picture-words') return [...play(say(asks), finish('STOP')), end].values();
  const part = name === 'broken-picture' ? brokenPart() : partOf(model, await drawPicture(order));
  const drawn = [say(order.base ? changed : fresh), eventOf([part])];
  if (name === 'cut-after-picture')
    return [...play(...drawn), { at: at + 60, step: { kind: 'destroy' } } as Beat].values();
  if (name === 'stop-after-picture')
    return [...play(...drawn), { at: at + 60, step: { kind: 'silence' } } as Beat].values();
  return [...play(...drawn, finish('STOP')), end].values();
}

function partOf(model: string, png: Buffer): PicturePart {
  const data = png.toString('base64');
  return { inlineData: { mimeType: 'image/png', data }, thoughtSignature: signatureOf(model, data) };
}

function brokenPart(): PicturePart {
  const data = Buffer.from('\x89PNG\r\n\x1a\nand then nothing more', 'latin1').toString('base64');
  return { inlineData: { mimeType: 'image/png', data } };
}

function eventOf(parts: object[], finishReason?: string): string {
  const content = parts.length > 0 ? { content: { parts, role: 'model' } } : {};
  const candidate = { ...content, ...(finishReason ? { finishReason } : {}), index: 0 };
  const usageMetadata = {
    promptTokenCount: 12,
    candidatesTokenCount: finishReason ? 1_120 : 8,
    totalTokenCount: 1_132,
  };
  return `data: ${JSON.stringify({ candidates: [candidate], usageMetadata, modelVersion: 'gemini-3.1-flash-image' })}\r\n\r\n`;
}
