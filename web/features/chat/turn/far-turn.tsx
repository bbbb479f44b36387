import type { Message } from '#contract/chat.ts';
import { guessLines } from '../answer/parse/group-blocks.ts';

const LINE_PX = 26;
/** Everything of a turn but its text: gaps, the bubble's padding, the line beneath. */
const REST_PX = 130;

/**
 * A turn far from the window: its words, which the browser's own search finds and copying takes along, without their layout.
 * `height` in pixels as last drawn; where it never was, one is guessed.
 */
export function FarTurn({ message, height }: { message: Message; height: number | null }) {
  return (
    <div
      style={{ height: height ?? guessHeight(message) }}
      className="overflow-hidden whitespace-pre-wrap [content-visibility:auto]"
    >
      <p>{message.content}</p>
      <p>{message.response}</p>
    </div>
  );
}

/** Of a turn that was never drawn, in pixels, without its files and pictures. */
export function guessHeight({ content, response }: Message): number {
  return REST_PX + LINE_PX * (linesOf(content) + linesOf(response));
}

function linesOf(text: string): number {
  let lines = 0;
  for (const line of text.split('\n')) lines += Math.max(1, guessLines(line));
  return lines;
}
