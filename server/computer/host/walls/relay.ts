import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { getPriority } from 'node:os';

// Runs inside the walls, before the browser: the one way out is a Unix socket, and Chromium knows proxies by a port alone.
giveWay();
const [socketPath = '', port = '0', program = '', ...flags] = process.argv.slice(2);
const server = createServer({ allowHalfOpen: true }, (inner) => {
  const outer = connect({ path: socketPath, allowHalfOpen: true });
  for (const each of [inner, outer]) {
    each.on('error', () => {
      inner.destroy();
      outer.destroy();
    });
  }
  inner.pipe(outer);
  outer.pipe(inner);
});
server.listen(Number(port), '127.0.0.1', () => {
  const browser = spawn(program, flags, { stdio: [0, 1, 2, 3, 4] });
  browser.on('error', () => process.exit(127));
  browser.on('exit', (code) => process.exit(code ?? 1));
});

/**
 * Where Linux schedules by sessions, a session of its own begins at the usual priority, whatever its processes have (sched(7)). The
 * kernel takes one such change in a tenth of a second, of all processes together.
 */
function giveWay(): void {
  try {
    writeFileSync('/proc/self/autogroup', String(getPriority()));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') setTimeout(giveWay, 150).unref();
  }
}
