import type OpenAI from 'openai';
import type { EmulatorControl } from '../emulator-control.ts';

export type Part = OpenAI.ChatCompletionContentPart;

/** The cheapest model. */
export const MODEL = 'gemini-2.5-flash-lite';

/** Bytes as an address that has them in it. */
export const dataUrl = (type: string, data: Buffer) => `data:${type};base64,${data.toString('base64')}`;

export const image = (url: string, detail?: 'low' | 'high'): Part => ({
  type: 'image_url',
  image_url: { url, ...(detail ? { detail } : {}) },
});

export const file = (data: Buffer, filename: string, type = 'application/octet-stream'): Part => ({
  type: 'file',
  file: { file_data: dataUrl(type, data), filename },
});

/** A request of OpenAI's wire with text and parts. */
export const question = (...parts: Part[]) => ({
  model: MODEL,
  messages: [
    { role: 'user' as const, content: [{ type: 'text' as const, text: 'What is this?' }, ...parts] },
  ],
});

/** The parts that the model was last asked with. */
export async function askedParts(gemini: EmulatorControl): Promise<Record<string, unknown>[]> {
  const body = (await gemini.requests()).at(-1)?.body as
    | { contents: { parts: Record<string, unknown>[] }[] }
    | undefined;
  return (body?.contents ?? []).flatMap(({ parts }) => parts);
}
