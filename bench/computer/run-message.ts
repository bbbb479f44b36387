import { randomUUID } from 'node:crypto';
import { createParser } from 'eventsource-parser';
import type { Message } from '#contract/chat.ts';
import type { AnswerPart } from '#contract/message/parts.ts';

const MODEL = 'gemini-computer-use';
const MAX_MS = 180_000;

interface Sender {
  /** Of the product. */
  url: string;
  cookie: string;
}

export interface RunEnd {
  /** Null where it was refused or took too long. */
  message: Message | null;
  /** What the product said instead of taking it. */
  refused: string | null;
}

/** Sends a message to the model that drives a browser, in a new conversation, lets what is asked, and waits for its end. */
export async function runMessage({ content, ...sender }: Sender & { content: string }): Promise<RunEnd> {
  const id = randomUUID();
  const response = await call(sender, '/api/messages', {
    id,
    conversationId: randomUUID(),
    parentId: null,
    model: MODEL,
    content,
    options: { computer: { steps: 30 } },
  });
  if (!response.ok) return { message: null, refused: await response.text() };
  await response.body?.cancel();
  return { message: await follow(sender, id), refused: null };
}

function call({ url, cookie }: Sender, path: string, body: unknown): Promise<Response> {
  const headers = { cookie, origin: url, 'content-type': 'application/json', accept: 'application/json' };
  return fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Follows the answer to its end, and answers with yes what is asked meanwhile; null when that takes too long. */
async function follow(sender: Sender, id: string): Promise<Message | null> {
  const { url, cookie } = sender;
  const signal = AbortSignal.timeout(MAX_MS);
  const response = await fetch(`${url}/api/messages/${id}/events`, { headers: { cookie }, signal });
  let ended: Message | null = null;
  const parser = createParser({
    onEvent({ event, data }) {
      const value = JSON.parse(data) as { message?: Message; part?: AnswerPart };
      if (event === 'end' && value.message) ended = value.message;
      const { part } = value;
      if (part?.kind === 'confirmation' && part.state === 'waiting')
        void call(sender, `/api/messages/${id}/computer`, { act: 'allow', confirmationId: part.id });
    },
  });
  try {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      parser.feed(chunk);
      if (ended) return ended;
    }
  } catch {
    await call(sender, `/api/messages/${id}/stop`, {});
  }
  return ended;
}
