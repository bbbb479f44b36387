import { type Agent, type IncomingMessage, request } from 'node:http';
import { newId } from '#server/platform/ids.ts';
import { createDeltaCounter } from './delta-counter.ts';
import type { Load, MeasuredAnswer } from './measured-answer.ts';

/** The model of the bench, as the catalogue and as the provider call it. */
export const MODEL = { ours: 'parley-flash', upstream: 'gemini-3.8-flash' };

const PROMPT = '请用两种语言说明潮汐是怎么来的。';

/** Sends one question and reads the answer to its end; never throws. */
type Ask = (agent: Agent, load: Load, cookie: string) => Promise<MeasuredAnswer>;

/** Our own wire: the message is sent, and its events are opened as soon as the answer to that is there. */
const askParley: Ask = async (agent, { url }, cookie) => {
  const watch = startWatch('event: text\n', 'event: end\n');
  try {
    const id = newId();
    const body = { id, conversationId: newId(), parentId: null, model: MODEL.ours, content: PROMPT };
    const headers = { cookie, origin: url, 'content-type': 'application/json' };
    const sent = await send(agent, `${url}/api/messages`, headers, JSON.stringify(body));
    const answer = await readText(sent);
    if (sent.statusCode !== 201) return watch.fault(`${sent.statusCode} ${answer}`);
    const events = await send(agent, `${url}/api/messages/${id}/events`, { cookie }, null);
    return events.statusCode === 200 ? await watch.read(events) : watch.fault(`events ${events.statusCode}`);
  } catch (error) {
    return watch.fault(String(error));
  }
};

/** The control: the same work straight from the emulator, by the provider's wire. */
const askEmulator: Ask = async (agent, { url }) => {
  const watch = startWatch('"role":"model"},"index"', '"finishReason"');
  try {
    const path = `/v1beta/models/${MODEL.upstream}:streamGenerateContent?alt=sse`;
    const headers = { 'x-goog-api-key': 'bench', 'content-type': 'application/json' };
    const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: PROMPT }] }] });
    const events = await send(agent, url + path, headers, body);
    return events.statusCode === 200 ? await watch.read(events) : watch.fault(String(events.statusCode));
  } catch (error) {
    return watch.fault(String(error));
  }
};

/** How each target is asked. */
export const ASKS: Record<Load['target'], Ask> = { emulator: askEmulator, parley: askParley };

function startWatch(deltaMarker: string, endMarker: string) {
  const started = performance.now();
  const since = () => performance.now() - started;
  const times: number[] = [];
  const countDeltas = createDeltaCounter(deltaMarker);
  const countEnds = createDeltaCounter(endMarker);
  let ends = 0;
  const result = (fault: string | null): MeasuredAnswer => {
    return { deltas: Float64Array.from(times), end: since(), complete: ends > 0 && fault === null, fault };
  };
  const read = (response: IncomingMessage) =>
    new Promise<MeasuredAnswer>((resolve) => {
      response.on('data', (chunk: Buffer) => {
        const now = since();
        for (let left = countDeltas(chunk); left > 0; left -= 1) times.push(now);
        ends += countEnds(chunk);
      });
      response.on('end', () => resolve(result(null)));
      response.on('error', (error) => resolve(result(String(error))));
    });
  return { read, fault: result };
}

function send(agent: Agent, url: string, headers: Record<string, string>, body: string | null) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const method = body === null ? 'GET' : 'POST';
    const outgoing = request(url, { agent, method, headers }, resolve);
    outgoing.setNoDelay(true);
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
}

async function readText(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return text;
}
