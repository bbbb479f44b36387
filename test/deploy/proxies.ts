import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from '#server/computer/host/walls/find-programs.ts';
import { type ChildProgram, freePort, startChild } from '../child-program.ts';
import { createSelfSigned } from '../self-signed.ts';
import { readShipped } from './read-shipped.ts';

export type ProxyName = 'caddy' | 'nginx';

export interface TestProxy {
  /** What users call. */
  url: string;
  /** The certificate of `url`, as PEM. */
  certificate: string;
  /** Starts it before the server at `upstream`, a host and a port. */
  start(upstream: string): Promise<void>;
  close(): Promise<void>;
}

/** What a proxy is set up for: the files `cert` and `key` are in `folder`. */
interface Setup {
  folder: string;
  port: number;
  /** Another free port, for what is not under test. */
  otherPort: number;
  upstream: string;
}

interface Command {
  flags: string[];
  env: Record<string, string>;
}

const SETUPS: Record<ProxyName, (setup: Setup) => Command> = { caddy: setUpCaddy, nginx: setUpNginx };

/** The path of the proxy; null where tests of it are skipped. */
export function findProxy(name: ProxyName): string | null {
  return findProgram(name, `${process.env.PATH ?? ''}:/usr/sbin:/usr/local/sbin`);
}

/** A real proxy with the settings that are shipped for it in `deploy/`, on a port of its own. */
export async function prepareProxy(name: ProxyName): Promise<TestProxy> {
  const folder = mkdtempSync(join(tmpdir(), `parley-${name}-`));
  const { cert, key } = createSelfSigned();
  for (const [file, text] of Object.entries({ cert, key })) writeFileSync(join(folder, file), text);
  const [port, otherPort] = [await freePort(), await freePort()];
  let program: ChildProgram | null = null;
  return {
    url: `https://127.0.0.1:${port}`,
    certificate: cert,
    async start(upstream) {
      const { flags, env } = SETUPS[name]({ folder, port, otherPort, upstream });
      program = startChild(findProxy(name) ?? '', flags, { env });
      await waitForPort(program, port);
    },
    async close() {
      // Caddy would wait for open streams; nginx has children to end.
      program?.process.kill(name === 'caddy' ? 'SIGKILL' : 'SIGTERM');
      await program?.ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function waitForPort(program: ChildProgram, port: number) {
  let isOver = false;
  void program.ended.then(() => {
    isOver = true;
  });
  while (!(await isTaken(port))) {
    if (isOver) throw new Error(`the proxy ended:\n${program.output()}`);
    await sleep(20);
  }
}

function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });
}

function setUpCaddy({ folder, port, upstream }: Setup): Command {
  const text = readShipped('caddy/Caddyfile', [['{\n', '{\n\tadmin off\n\tauto_https disable_redirects\n']]);
  writeFileSync(join(folder, 'Caddyfile'), text);
  return {
    flags: ['run', '--config', join(folder, 'Caddyfile')],
    env: {
      HOME: folder,
      SITE_ADDRESS: `https://127.0.0.1:${port}`,
      SITE_TLS: `tls ${join(folder, 'cert')} ${join(folder, 'key')}`,
      UPSTREAMS: upstream,
    },
  };
}

function setUpNginx({ folder, port, otherPort, upstream }: Setup): Command {
  const site = readShipped('nginx/parley.conf', [
    ['server 127.0.0.1:3000', `server ${upstream}`],
    ['listen 80', `listen 127.0.0.1:${otherPort}`],
    ['listen [::]:80;', ''],
    ['listen 443', `listen 127.0.0.1:${port}`],
    ['listen [::]:443 ssl http2;', ''],
    ['/etc/letsencrypt/live/parley.example/fullchain.pem', join(folder, 'cert')],
    ['/etc/letsencrypt/live/parley.example/privkey.pem', join(folder, 'key')],
  ]);
  writeFileSync(join(folder, 'parley.conf'), site);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = temporary.map((each) => `${each}_temp_path ${join(folder, each)};`).join('\n');
  const rest = `pid ${join(folder, 'pid')};\nevents {}\nhttp {\naccess_log off;\n${paths}\ninclude ${join(folder, 'parley.conf')};\n}\n`;
  const user = process.getuid?.() === 0 ? 'user root;\n' : '';
  writeFileSync(join(folder, 'nginx.conf'), `daemon off;\n${user}error_log stderr;\n${rest}`);
  return { flags: ['-c', join(folder, 'nginx.conf'), '-e', 'stderr'], env: {} };
}
