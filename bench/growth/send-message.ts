import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '#server/platform/ids.ts';
import { percentile } from '../percentile.ts';
import { MODEL } from '../streams/ask.ts';
import type { World } from './seed-world.ts';

const PAUSE_MS = 200;

/** Where a message goes. */
export interface MessagePlace {
  conversationId: string;
  parentId: string | null;
}

/** Sends a message, in a new conversation unless said otherwise, and reads its answer; answers the milliseconds until the first text. */
export async function sendMessage(
  { rig }: Pick<World, 'rig'>,
  cookie: string,
  place: MessagePlace = { conversationId: newId(), parentId: null },
): Promise<number> {
  const before = performance.now();
  const response = await fetch(`${rig.url}/api/messages`, {
    method: 'POST',
    headers: { cookie, origin: rig.url, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({
      id: newId(),
      ...place,
      model: MODEL.ours,
      content: '/emulate max-tokens 潮汐',
    }),
  });
  return readFirst(response, 'event: text', before);
}

/** Asks by the key of the heavy user, which has a monthly cap, and reads the answer; answers the milliseconds until the first text. */
export async function askByKey({ rig, key }: Pick<World, 'rig' | 'key'>): Promise<number> {
  const before = performance.now();
  const response = await fetch(`${rig.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: MODEL.ours,
      messages: [{ role: 'user', content: '/emulate max-tokens 潮汐' }],
      stream: true,
    }),
  });
  return readFirst(response, '"content":"', before);
}

async function readFirst(response: Response, mark: string, before: number): Promise<number> {
  if (!response.ok || !response.body) throw new Error(`a send was answered ${response.status}`);
  let first = Number.NaN;
  const decoder = new TextDecoder();
  for await (const piece of response.body) {
    if (Number.isNaN(first) && decoder.decode(piece as Uint8Array).includes(mark))
      first = performance.now() - before;
  }
  return first;
}

/** Others send, each one message after the other, until `work` is done, `minMs` at least. Answers their p95 in ms. */
export async function sendMeanwhile(world: World, work: () => Promise<void>, minMs = 0): Promise<number> {
  const took: number[] = [];
  let isDone = false;
  const send = async (cookie: string) => {
    while (!isDone) {
      took.push(await sendMessage(world, cookie));
      await sleep(PAUSE_MS);
    }
  };
  const sending = world.others.map(send);
  await Promise.all([work(), sleep(minMs)]);
  isDone = true;
  await Promise.all(sending);
  return percentile(Float64Array.from(took.filter((one) => !Number.isNaN(one))), 0.95);
}
