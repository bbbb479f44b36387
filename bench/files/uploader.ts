import { setTimeout } from 'node:timers/promises';
import { createClient, type TestClient } from '#test/client.ts';
import { upload } from '#test/files/files.ts';
import type { Rig } from '../rig.ts';

export interface SampleFile {
  name: string;
  bytes: Buffer;
}

export interface Uploader {
  client: TestClient;
  /** Sends a file piece by piece, each when the one before was answered, as the browser does. Returns its id and the milliseconds. */
  send(file: SampleFile): Promise<{ id: string; ms: number }>;
  /** Waits until the file can be sent. Throws where it could not be read. */
  ready(id: string): Promise<void>;
}

const POLL_MS = 10;

/** A signed-in user who uploads. */
export function openUploader(rig: Rig, cookie: string): Uploader {
  const client = createClient({ url: rig.url, origin: rig.url, cookie });
  return {
    client,
    async send({ name, bytes }) {
      const began = performance.now();
      const id = await upload(client, bytes, name);
      return { id, ms: performance.now() - began };
    },
    ready: (id) => waitUntilRead(rig, id),
  };
}

type Waiting = Map<string, PromiseWithResolvers<void>>;
const waitingOf = new WeakMap<Rig, Waiting>();

/** One statement asks about all files that are waited for, so that waiting costs the server under test nothing. */
function waitUntilRead(rig: Rig, id: string): Promise<void> {
  const waiting: Waiting = waitingOf.get(rig) ?? new Map();
  waitingOf.set(rig, waiting);
  const wait = Promise.withResolvers<void>();
  waiting.set(id, wait);
  if (waiting.size === 1) void pollAll(rig, waiting);
  return wait.promise;
}

async function pollAll({ postgres: { sql } }: Rig, waiting: Waiting): Promise<void> {
  while (waiting.size > 0) {
    const ended = await sql<{ id: string; errorCode: string | null }[]>`
      select id, error_code as "errorCode" from files where id in ${sql([...waiting.keys()])} and state in ('ready', 'failed')`;
    for (const { id, errorCode } of ended) {
      if (errorCode === null) waiting.get(id)?.resolve();
      else waiting.get(id)?.reject(new Error(`file ${id} was not read: ${errorCode}`));
      waiting.delete(id);
    }
    await setTimeout(POLL_MS);
  }
}
