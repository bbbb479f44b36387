import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import tls from 'node:tls';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { IS_LONG } from '#test/runs.ts';
import { createSelfSigned } from '#test/self-signed.ts';
import { CallDeadline } from './call-deadline.ts';
import { createHttpPool } from './http-pool.ts';
import { createReadThrottle } from './read-throttle.ts';

async function listen(server: Server): Promise<number> {
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function holdTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

describe('a connection that pauses', () => {
  /** Two connections: the first with a throttle, while so many answers run; the second shows when the machine has carried what was written. */
  async function openTwo(running: number) {
    const server = createServer();
    const port = await listen(server);
    const throttle = createReadThrottle(() => running);
    const accepted: Socket[] = [];
    server.on('connection', (socket) => accepted.push(socket));
    const paused = throttle.open((options) => connect({ port, host: '127.0.0.1', ...options }));
    await once(paused, 'connect');
    const witness = connect(port, '127.0.0.1');
    await once(witness, 'connect');
    await vi.waitFor(() => expect(accepted).toHaveLength(2));
    onTestFinished(() => {
      throttle.close();
      for (const socket of [...accepted, paused, witness]) socket.destroy();
    });
    let received = '';
    paused.on('data', (bytes) => {
      received += bytes;
      throttle.pause(paused);
    });
    /** Resolves when the other connection has what was written after it. */
    const write = async (words: string) => {
      accepted[0]?.write(words);
      accepted[1]?.write('x');
      await once(witness, 'data');
      await turn();
    };
    /** Writes the first words, which are read in any case. */
    const begin = async () => {
      accepted[0]?.write('a');
      await once(paused, 'data');
      await turn();
    };
    return { throttle, paused, begin, write, received: () => received };
  }

  test('reads nothing until its pause is over', async () => {
    holdTimers();
    const { paused, begin, write, received } = await openTwo(100);
    await begin();
    await write('b');
    await write('c');
    expect(received()).toBe('a');
    vi.advanceTimersByTime(50);
    await once(paused, 'data');
    expect(received()).toBe('abc');
  });

  test('goes on at once when it is told to', async () => {
    holdTimers();
    const { throttle, paused, begin, write, received } = await openTwo(100);
    await begin();
    await write('b');
    expect(received()).toBe('a');
    throttle.resume(paused);
    await once(paused, 'data');
    expect(received()).toBe('ab');
  });

  test('does not pause while few answers run', async () => {
    holdTimers();
    const { begin, write, received } = await openTwo(99);
    await begin();
    await write('b');
    await expect.poll(received).toBe('ab');
  });
});

describe('answers of a hundred callers at once', () => {
  const BODY = 'x'.repeat(300_000);
  const TIMEOUTS = { connectMs: 60_000, firstTokenMs: 60_000, idleMs: 60_000, totalMs: 60_000 };

  function openPool() {
    const pool = createHttpPool();
    onTestFinished(() => pool.close());
    return (url: string, body: string, onPiece: (piece: Buffer) => void) => {
      const deadline = new CallDeadline(TIMEOUTS, new AbortController().signal);
      const post = { url: new URL(url), headers: {}, body };
      return pool.post(post, deadline, (piece) => {
        onPiece(piece);
        return 'more';
      });
    };
  }

  test('are read together once their pause is over', async () => {
    holdTimers();
    const responses: http.ServerResponse[] = [];
    const server = http.createServer((_request, response) => {
      responses.push(response);
      response.write('a');
    });
    const url = `http://127.0.0.1:${await listen(server)}/`;
    const received = Array<string>(101).fill('');
    const [post, postAlone] = [openPool(), openPool()];
    let ended = 0;
    for (const index of received.keys()) {
      const asked = (index === 100 ? postAlone : post)(url, '', (piece) => {
        received[index] = `${received[index]}${piece}`;
      });
      void asked.then(() => (ended += 1));
    }
    while (received.some((words) => words !== 'a')) await turn();
    for (const response of responses) response.write('b');
    while (received[100] === 'a') await turn();
    await turn();
    expect(received.filter((words) => words === 'a')).toHaveLength(100);
    vi.advanceTimersByTime(50);
    while (received.some((words) => words !== 'ab')) await turn();
    for (const response of responses) response.end();
    await vi.waitFor(() => expect(ended).toBe(101));
  });

  /** Answers with what it was asked, piece by piece, and a long body. */
  async function answer(request: http.IncomingMessage, response: http.ServerResponse) {
    const asked = await text(request);
    response.writeHead(200);
    for (const letter of asked) {
      response.write(letter);
      await turn();
    }
    response.end(BODY);
  }

  test.runIf(IS_LONG).each(['http', 'https'])(
    'come whole over %s, and connections are used again',
    async (scheme) => {
      const pair = createSelfSigned();
      const trusted = tls.getCACertificates('default');
      tls.setDefaultCACertificates([...trusted, pair.cert]);
      const server = scheme === 'http' ? http.createServer(answer) : https.createServer(pair, answer);
      // On a busy machine a round takes longer than the five seconds after which a server closes what is idle.
      server.keepAliveTimeout = 0;
      const port = await listen(server);
      onTestFinished(() => tls.setDefaultCACertificates(trusted));
      let connections = 0;
      server.on('connection', () => {
        connections += 1;
      });
      const post = openPool();
      const ask = async (body: string) => {
        const pieces: Buffer[] = [];
        await post(`${scheme}://127.0.0.1:${port}/`, body, (piece) => pieces.push(piece));
        return Buffer.concat(pieces).toString();
      };
      for (let round = 0; round < 2; round += 1) {
        const words = Array.from({ length: 120 }, (_, index) => `question ${round} ${index}`);
        const answers = await Promise.all(words.map(ask));
        expect(answers).toEqual(words.map((asked) => asked + BODY));
      }
      expect(connections).toBe(120);
    },
  );
});
