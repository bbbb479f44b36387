import type { Rig } from '../rig.ts';
import { MODEL } from './ask.ts';

interface Chunk {
  candidates?: { content?: { parts?: { text?: string }[] } }[];
}

/** The whole text of the emulator's present work, read from the emulator itself. */
export async function readExpectedText(rig: Rig): Promise<string> {
  const path = `/v1beta/models/${MODEL.upstream}:streamGenerateContent?alt=sse`;
  const response = await fetch(rig.emulator.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-goog-api-key': 'bench' },
    body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'work' }] }] }),
  });
  const lines = (await response.text()).split('\r\n').filter((line) => line.startsWith('data: '));
  const chunks = lines.map((line) => JSON.parse(line.slice('data: '.length)) as Chunk);
  return chunks
    .flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? [])
    .map((part) => part.text ?? '')
    .join('');
}
