import { connect, type Socket } from 'node:net';

/** One kept-alive HTTP/1.1 connection, read without a parser: a client that shares its cores with the server must cost little. */
export interface Wire {
  /** Sends a request. Every chunk that arrives until the next one is handed to `onChunk`. */
  send(head: string[], body: string | null, onChunk: (chunk: Buffer) => void): void;
  /** Told once when the connection breaks or closes. */
  onClose: (reason: string) => void;
  readonly bytesRead: number;
  close(): void;
}

/** Connects to the host of `url`, which is plain http. */
export function openWire(url: string): Wire {
  const { hostname, port, host } = new URL(url);
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let receive: (chunk: Buffer) => void = () => {};
  const wire: Wire = {
    send(head, body, onChunk) {
      receive = onChunk;
      const length = body === null ? [] : [`content-length: ${Buffer.byteLength(body)}`];
      const [first, ...headers] = head;
      socket.write(`${[first, `host: ${host}`, ...headers, ...length].join('\r\n')}\r\n\r\n${body ?? ''}`);
    },
    onClose: () => {},
    get bytesRead() {
      return socket.bytesRead;
    },
    close: () => socket.destroy(),
  };
  socket.on('data', (chunk: Buffer) => receive(chunk));
  socket.on('error', (error) => wire.onClose(String(error)));
  socket.on('close', () => wire.onClose('the connection was closed'));
  return wire;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/** Collects one answer whose length is declared; calls back with its status and body. */
export function collectAnswer(whole: (status: number, body: string) => void): (chunk: Buffer) => void {
  let bytes: Buffer = Buffer.alloc(0);
  return (chunk) => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    const headEnd = bytes.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = bytes.toString('latin1', 0, headEnd);
    const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
    const bodyStart = headEnd + HEAD_END.length;
    if (bytes.length < bodyStart + length) return;
    whole(Number(head.split(' ', 2)[1]), bytes.toString('utf8', bodyStart, bodyStart + length));
  };
}
