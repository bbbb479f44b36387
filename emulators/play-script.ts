import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Beat, Script, Step } from './script.ts';
import type { Ticker } from './ticker.ts';

const STALLED_BYTES = 4 * 1024 * 1024;
const STALLED_PAUSE_MS = 20;
const CUT_PAUSE_MS = 4;

/** How one provider puts a step into bytes of a stream; `ending` closes an orderly answer. */
export interface StreamFormat {
  headers: Record<string, string>;
  encode(step: Step): string;
  ending: string;
}

/** One answer under way. `onBreak` is called when the script itself cuts the connection. */
export interface Playing {
  response: ServerResponse;
  script: Script;
  format: StreamFormat;
  startedAt: number;
  onBreak(): void;
}

/** One HTTP chunk, written around `ServerResponse` because its own framing costs more than all the rest here. */
function frame(payload: string): string {
  return `${Buffer.byteLength(payload).toString(16)}\r\n${payload}\r\n`;
}

function writeChunk(socket: Socket, bytes: Buffer) {
  socket.write(Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]));
}

/** A payload as the packets it is cut into: single bytes, or two halves of its last character that has several bytes. */
function cutPayload(payload: string, cut: NonNullable<Beat['cut']>): Buffer[] {
  const bytes = Buffer.from(payload);
  if (cut === 'bytes') return Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
  let at = bytes.length - 1;
  while (at > 0 && ((bytes[at] ?? 0) & 0xc0) !== 0x80) at -= 1;
  if (at <= 0) at = bytes.length >> 1;
  return [bytes.subarray(0, at), bytes.subarray(at)];
}

/** Sends a script at its own pace. What is due in one turn goes out as one packet; lateness does not add up. */
export function playScript(playing: Playing, ticker: Ticker) {
  const { response, format } = playing;
  response.writeHead(200, { ...format.headers, 'transfer-encoding': 'chunked' });
  response.flushHeaders();
  if (response.socket) playNext(playing, response.socket, ticker);
}

function playNext({ response, script, format, startedAt, onBreak }: Playing, socket: Socket, ticker: Ticker) {
  let beat = script.next();
  let cutOff: Buffer[] = [];

  function flush(payload: string) {
    if (payload !== '') socket.write(frame(payload));
  }

  function breakOff(payload: string) {
    onBreak();
    if (payload === '') socket.destroy();
    else socket.write(frame(payload), () => socket.destroy());
  }

  function sendCutOff(now: number) {
    const [next, ...rest] = cutOff;
    if (next) writeChunk(socket, next);
    cutOff = rest;
    ticker.at(now + (rest.length > 1 ? 0 : CUT_PAUSE_MS), run);
  }

  function run() {
    if (socket.destroyed || response.writableEnded) return;
    const now = performance.now();
    if (socket.writableLength > STALLED_BYTES) return ticker.at(now + STALLED_PAUSE_MS, run);
    if (cutOff.length > 0) return sendCutOff(now);
    let payload = '';
    while (!beat.done && startedAt + beat.value.at <= now) {
      const { step, cut } = beat.value;
      if (step.kind === 'silence') return flush(payload);
      if (step.kind === 'destroy') return breakOff(payload);
      if (step.kind === 'end') {
        flush(payload);
        response.end();
        return;
      }
      beat = script.next();
      payload += format.encode(step);
      if (cut) {
        cutOff = cutPayload(payload, cut);
        return sendCutOff(now);
      }
    }
    if (beat.done) {
      flush(payload + format.ending);
      response.end();
      return;
    }
    flush(payload);
    ticker.at(startedAt + beat.value.at, run);
  }

  run();
}
