import { createSocket } from 'node:dgram';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';

// Runs where a browser would, and says what can be seen and reached from there: addresses as `host port` arguments.
const TIMEOUT_MS = 1_500;
const pairs = process.argv.slice(2).map((each) => each.split(' '));

function reaches(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: TIMEOUT_MS });
    const end = (reached: boolean) => {
      socket.destroy();
      resolve(reached);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}

/** Sends a datagram with the name of where it goes: whoever gets it knows. */
function sendTo(host: string, port: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.send(host, port, host, () => socket.close(() => resolve()));
  });
}

function attempt(read: () => string[]): string[] {
  try {
    return read();
  } catch {
    return [];
  }
}

await Promise.all(pairs.map(([host = '', port]) => sendTo(host, Number(port))));
const reached = await Promise.all(
  pairs.map(async ([host = '', port]) => ((await reaches(host, Number(port))) ? [`${host}:${port}`] : [])),
);
const found = {
  reached: reached.flat(),
  files: [
    '/etc/passwd',
    '/etc/shadow',
    '/etc/hostname',
    '/root',
    '/home',
    '/var/lib',
    '/sys',
    '/run',
  ].flatMap((path) =>
    attempt(() => readdirSync(path).map((name) => `${path}/${name}`)).concat(
      attempt(() => [readFileSync(path, 'utf8') && path]),
    ),
  ),
  processes: attempt(() => readdirSync('/proc').filter((name) => /^\d+$/.test(name))).length,
  capabilities: /^CapEff:\s+(\w+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '',
};
process.stdout.write(JSON.stringify(found));
