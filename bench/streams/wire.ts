import { connect, type Socket } from 'node:net';

/** One kept-alive HTTP/1.1 connection, read without a parser: a client that shares its cores with the server must cost little. */
export interface Wire {
  /** Sends a request. Every chunk that arrives until the next one is handed to `onChunk`. */
  send(head: string[], body: string | null, onChunk: (chunk: Buffer) => void): void;
  /** Called once when the connection breaks or closes. */
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
