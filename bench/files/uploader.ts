import type { FileInfo } from '#contract/message/files.ts';
import { createClient, type TestClient } from '#test/client.ts';
import { openEvents } from '#test/events.ts';
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
  /** Waits until this user's tab has received that the file can be sent. Throws where it could not be read. */
  ready(id: string): Promise<FileInfo>;
  close(): void;
}

/** A signed-in user, with a tab open on the live channel. */
export async function openUploader(rig: Rig, cookie: string): Promise<Uploader> {
  const client = createClient({ url: rig.url, origin: rig.url, cookie });
  const live = await openEvents(client, '/api/live');
  return {
    client,
    async send({ name, bytes }) {
      const began = performance.now();
      const id = await upload(client, bytes, name);
      return { id, ms: performance.now() - began };
    },
    async ready(id) {
      const { data } = await live.next(({ event, data }) => {
        const file = data.file as FileInfo | undefined;
        return event === 'file' && file?.id === id && (file.state === 'ready' || file.state === 'failed');
      });
      const file = data.file as FileInfo;
      if (file.state === 'failed') throw new Error(`${file.name} was not read: ${file.error?.code}`);
      return file;
    },
    close: live.close,
  };
}
