import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import tls from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { asking, listen, nothingReceived, openTestUpstream, type TestUpstream } from '#test/chat/upstream.ts';
import { PATIENT } from '#test/patient.ts';
import { createSelfSigned } from '#test/self-signed.ts';

/** A whole answer in one event. */
const COMPLETE = 'data: {"candidates":[{"content":{"parts":[{"text":"好"}]},"finishReason":"STOP"}]}\n\n';

/** A piece of a body as chunked transfer encoding writes it. */
function chunkOf(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

describe('a connection to a provider', () => {
  let on: TestUpstream;
  const servers: Server[] = [];
  const sockets = new Set<Socket>();

  beforeAll(async () => {
    on = await openTestUpstream('gemini');
  });
  beforeEach(() => on.reset());
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers) server.close();
    await on.close();
  });

  async function serve(server: Server): Promise<number> {
    servers.push(server);
    server.on('connection', (socket) => {
      sockets.add(socket.on('error', () => {}));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  /** A provider that answers every request with these bytes. */
  function canned(answer: string): Promise<number> {
    return serve(createServer((socket) => socket.once('data', () => socket.end(answer))));
  }

  function open(port: number, scheme = 'http', timeouts = {}) {
    return on.open({ baseUrl: `${scheme}://127.0.0.1:${port}`, timeouts });
  }

  test('works the same over TLS, and is used again', async () => {
    const pair = createSelfSigned();
    const trusted = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...trusted, pair.cert]);
    onTestFinished(() => tls.setDefaultCACertificates(trusted));
    let handshakes = 0;
    const { port } = new URL(on.emulatorUrl);
    const secure = tls.createServer(pair, (socket) => {
      handshakes += 1;
      sockets.add(socket.on('error', () => {}));
      const inner = connect(Number(port), '127.0.0.1').on('error', () => {});
      socket.pipe(inner).pipe(socket);
    });
    const upstream = open(await serve(secure), 'https');
    for (let count = 0; count < 3; count += 1) {
      const received = nothingReceived();
      await listen(upstream, asking('你好'), received);
      expect(received.text).toContain('很高兴见到你');
    }
    expect(handshakes).toBe(1);
  });

  test('with a certificate that nobody vouches for is refused', async () => {
    const secure = tls.createServer(createSelfSigned(), (socket) => socket.end());
    const upstream = open(await serve(secure), 'https');
    const answer = listen(upstream, asking('a'), nothingReceived());
    await expect(answer).rejects.toMatchObject({ kind: 'connect' });
    expect(await on.control.requests()).toEqual([]);
  });

  test('whose handshake never ends runs into the connect time-out', async () => {
    const silent = await serve(createServer(() => {}));
    const answer = listen(open(silent, 'https', { connectMs: 150 }), asking('a'), nothingReceived());
    await expect(answer).rejects.toMatchObject({ kind: 'timeout', phase: 'connect' });
  });

  test('that answers with something else than HTTP is connect', async () => {
    const port = await canned('SSH-2.0-OpenSSH_9.2\r\n');
    await expect(listen(open(port), asking('a'), nothingReceived())).rejects.toMatchObject({
      kind: 'connect',
    });
  });

  test('that answers with a page instead of a stream is truncated', async () => {
    const page = '<html>Sign in to the airport network</html>';
    const port = await canned(
      `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: ${page.length}\r\n\r\n${page}`,
    );
    await expect(listen(open(port), asking('a'), nothingReceived())).rejects.toMatchObject({
      kind: 'truncated',
    });
  });

  test('that breaks off inside a chunk is truncated', async () => {
    const port = await canned('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\ndata: {"cand');
    await expect(listen(open(port), asking('a'), nothingReceived())).rejects.toMatchObject({
      kind: 'truncated',
    });
  });

  test('whose refusal has an endless body is given up after 64 KiB', async () => {
    const port = await serve(
      createServer((socket) => {
        socket.once('data', () => socket.write('HTTP/1.1 418 no\r\nconnection: close\r\n\r\n'));
        const more = () => socket.writable && socket.write('x'.repeat(65_536), more);
        socket.once('data', more);
      }),
    );
    await expect(listen(open(port), asking('a'), nothingReceived())).rejects.toMatchObject({
      kind: 'fetch',
      status: 418,
    });
    await vi.waitFor(
      () =>
        expect([...sockets].filter((socket) => !socket.destroyed && socket.localPort === port)).toEqual([]),
      PATIENT,
    );
  });

  test('that stays open after the answer is complete does not hold it up for long', async () => {
    const port = await serve(
      createServer((socket) => {
        const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
        socket.once('data', () => socket.write(`${head}${chunkOf(COMPLETE)}`));
      }),
    );
    const received = nothingReceived();
    await expect(listen(open(port), asking('a'), received)).resolves.toMatchObject({ finishReason: 'stop' });
    expect(received.text).toBe('好');
  });

  test.each([
    ['that breaks after the finish', 'ff\r\ndata: {"cand'],
    [
      'that says of an error after the finish',
      chunkOf('data: {"error":{"code":503,"status":"UNAVAILABLE"}}\n\n'),
    ],
    ['that has empty events', `${chunkOf('data:\n\n')}0\r\n\r\n`],
  ])('%s takes nothing from the answer', async (_, rest) => {
    const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
    const port = await canned(`${head}${chunkOf('data:\n\n')}${chunkOf(COMPLETE)}${rest}`);
    const received = nothingReceived();
    await expect(listen(open(port), asking('a'), received)).resolves.toMatchObject({ finishReason: 'stop' });
    expect(received.text).toBe('好');
  });

  test('that was closed while idle is replaced', async () => {
    const upstream = open(Number(new URL(on.emulatorUrl).port));
    await listen(upstream, asking('你好'), nothingReceived());
    await on.control.scenario('drop-connection');
    const received = nothingReceived();
    await listen(upstream, asking('你好'), received);
    expect(received.text).not.toBe('');
  });
});
