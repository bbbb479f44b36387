import { Agent } from 'node:http';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ASKS } from './ask.ts';
import type { Load, LoadResult, MeasuredAnswer } from './measured-answer.ts';

/** Connections of one load, kept alive and counted. */
class CountingAgent extends Agent {
  private readonly opened: Socket[] = [];

  override createConnection(...args: Parameters<Agent['createConnection']>) {
    const socket = super.createConnection(...args);
    if (socket instanceof Socket) this.opened.push(socket);
    return socket;
  }

  get bytesRead() {
    return this.opened.reduce((sum, socket) => sum + socket.bytesRead, 0);
  }
}

async function run(load: Load): Promise<LoadResult> {
  const agent = new CountingAgent({ keepAlive: true });
  const ask = (cookie: string) => ASKS[load.target](agent, load, cookie);
  const answers =
    load.spreadMs === null ? await inTurn(load.cookies, ask) : await spread(load.cookies, ask, load.spreadMs);
  const { bytesRead } = agent;
  agent.destroy();
  return { answers, wireBytes: bytesRead };
}

async function inTurn(cookies: string[], ask: (cookie: string) => Promise<MeasuredAnswer>) {
  const answers: MeasuredAnswer[] = [];
  for (const cookie of cookies) answers.push(await ask(cookie));
  return answers;
}

function spread(cookies: string[], ask: (cookie: string) => Promise<MeasuredAnswer>, spreadMs: number) {
  return Promise.all(
    cookies.map(async (cookie, index) => {
      await sleep((index * spreadMs) / cookies.length);
      return ask(cookie);
    }),
  );
}

process.on('message', (load: Load) => {
  run(load).then(
    (result) => process.send?.(result),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit(0));
