import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A program that takes traces over OTLP/HTTP and keeps none; `GET` says how many batches and bytes came. Its first line has its address. */
let [batches, bytes] = [0, 0];
const server = createServer((request, response) => {
  if (request.method === 'POST') batches += 1;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end(request.method === 'POST' ? '{}' : JSON.stringify({ batches, bytes }));
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
