import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A network between the browser and everything else, as an HTTP proxy, that can be cut: all connections die and new ones fail. */
export interface Network {
  url: string;
  cut(): void;
  mend(): void;
  stop(): Promise<void>;
}

export async function startNetwork(): Promise<Network> {
  let isCut = false;
  const server = createServer(forward);
  server.on('connection', (socket) => {
    if (isCut) socket.destroy();
  });
  server.on('connect', tunnel);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    cut() {
      isCut = true;
      server.closeAllConnections();
    },
    mend() {
      isCut = false;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse) {
  const { method, headers, url = '' } = incoming;
  const onward = request(url, { ...(method === undefined ? {} : { method }), headers });
  onward.on('response', (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.on('error', () => outgoing.destroy());
    response.pipe(outgoing);
  });
  onward.on('error', () => outgoing.destroy());
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
}

/** Playwright's own requests ask for a tunnel even to plain HTTP. */
function tunnel({ url = '' }: IncomingMessage, socket: Socket) {
  const { hostname, port } = new URL(`http://${url}`);
  const onward = connect(Number(port), hostname, () => {
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    onward.pipe(socket).pipe(onward);
  });
  onward.on('error', () => socket.destroy());
  socket.on('error', () => onward.destroy());
  socket.on('close', () => onward.destroy());
}
