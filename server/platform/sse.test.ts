import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import {
  createSseHub,
  DEFAULT_SSE_LIMITS,
  type FirstFrame,
  type SseHub,
  type SseLimits,
  type SseStream,
  sseFrame,
} from './sse.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

interface Opened {
  hub: SseHub;
  stream: SseStream;
  socket: Socket;
  outgoing: ServerResponse;
  closed: Promise<void>;
  drains: () => number;
  /** All that the client received, once it matches. */
  text(pattern: RegExp): Promise<string>;
}

async function open(limits: Partial<SseLimits> = {}, first?: FirstFrame): Promise<Opened> {
  const hub = createSseHub({ ...DEFAULT_SSE_LIMITS, ...limits });
  let drains = 0;
  const opened = Promise.withResolvers<Pick<Opened, 'stream' | 'outgoing'>>();
  const closed = Promise.withResolvers<void>();
  const server = createServer((_, outgoing) => {
    outgoing.setHeader('x-one', '1');
    const onDrain = () => {
      drains += 1;
    };
    opened.resolve({
      stream: hub.open(outgoing, { onDrain, onClose: closed.resolve }, first),
      outgoing,
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  closers.push(() => {
    hub.close();
    socket.destroy();
    server.close();
  });
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  let received = '';
  const text = async (pattern: RegExp) => {
    for (;;) {
      if (pattern.test(received)) return received;
      const chunk = socket.read();
      if (chunk) received += chunk;
      else await sleep(2);
    }
  };
  return { hub, ...(await opened.promise), socket, closed: closed.promise, drains: () => drains, text };
}

test('a stream sends its headers before the first event, then each frame as it is', async () => {
  const { stream, text, hub } = await open();
  const head = await text(/\r\n\r\n/);
  expect(head).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  expect(head).toMatch(
    /x-one: 1\r\ncontent-type: text\/event-stream\r\ncache-control: no-store\r\nx-accel-buffering: no\r\n/,
  );
  stream.write(sseFrame('text', '{"text":"潮"}', 7));
  expect(await text(/\n\n/)).toContain('id: 7\nevent: text\ndata: {"text":"潮"}\n\n');
  expect([hub.size, stream.isOpen]).toEqual([1, true]);
});

test('a stream that begins with a frame sends it with its headers, under the status it is given', async () => {
  const { stream, text } = await open({}, { frame: sseFrame('message', '{}'), status: 201 });
  stream.write(sseFrame('text', '{}', 1));
  expect(await text(/id: 1/)).toMatch(
    /^HTTP\/1.1 201 Created\r\n[\s\S]*text\/event-stream\r\n[\s\S]*\r\n\r\n[\s\S]*event: message\n[\s\S]*id: 1\n/,
  );
});

test('an idle stream is kept alive by comments', async () => {
  const { text } = await open({ heartbeatMs: 20 });
  expect(await text(/: \n\n[\s\S]*: \n\n/)).toMatch(/: \n\n/);
});

test('an end reaches the reader after everything before it', async () => {
  const { stream, text, closed, hub } = await open();
  stream.write(sseFrame('end', '{}'));
  stream.end();
  expect(await text(/0\r\n\r\n$/)).toContain('event: end\n');
  await closed;
  expect([hub.size, stream.isOpen, stream.write(sseFrame('late', '{}'))]).toEqual([0, false, false]);
});

test('a reader that goes away is noticed', async () => {
  const { socket, closed, stream } = await open();
  socket.destroy();
  await closed;
  expect(stream.isOpen).toBe(false);
});

const BIG = Buffer.alloc(64 * 1024, 'x');

test('a reader that does not read is cut off when too much waits for it', async () => {
  const { stream, socket, outgoing, closed } = await open({ maxBufferedBytes: 256 * 1024 });
  socket.pause();
  for (let count = 0; stream.isOpen; count += 1) {
    stream.write(BIG);
    expect(outgoing.writableLength).toBeLessThan(256 * 1024 + 2 * BIG.length);
    if (count % 16 === 0) await sleep(1);
  }
  await closed;
});

test('a reader that stands still for too long is cut off, however little waits', async () => {
  const { stream, closed } = await open({ maxBlockedMs: 60, maxBufferedBytes: Number.POSITIVE_INFINITY });
  for (; stream.isOpen; await sleep(1)) stream.write(BIG);
  await closed;
  expect(stream.isOpen).toBe(false);
});

test('a reader that stands still is cut off in time while the clock of the host goes back', async () => {
  let now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
    now -= 1_000;
    return now;
  });
  closers.push(() => clock.mockRestore());
  const { stream, closed } = await open({ maxBlockedMs: 60, maxBufferedBytes: Number.POSITIVE_INFINITY });
  for (let count = 0; stream.isOpen && count < 300; count += 1) {
    stream.write(BIG);
    await sleep(1);
  }
  await closed;
  expect(stream.isOpen).toBe(false);
});

test('one frame may be larger than the buffer', async () => {
  const { stream, text, drains } = await open({ maxBufferedBytes: 1_000 });
  const huge = sseFrame('text', JSON.stringify({ text: 'x'.repeat(1_500_000) }), 1);
  expect(stream.write(huge)).toBe(false);
  await text(/x"}\n\n/);
  expect([drains(), stream.isOpen]).toEqual([1, true]);
});

test('closing the hub ends every stream', async () => {
  const { hub, closed } = await open();
  hub.close();
  await closed;
  expect(hub.size).toBe(0);
});
