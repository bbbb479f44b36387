import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FileInfo } from '#contract/message/files.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, creditsOf } from '#test/chat/chat.ts';
import { readInfo, upload } from '#test/files/files.ts';
import { hostileArchives } from '#test/hostile-files/hostile-archives.ts';
import { findHostile, type HostileFile, hostile } from '#test/hostile-files/hostile-file.ts';
import { hostilePdfs } from '#test/hostile-files/hostile-pdfs.ts';
import { hugePng } from '#test/hostile-files/hostile-pictures.ts';
import { IS_LONG } from '#test/runs.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

type User = Awaited<ReturnType<TestApp['signedIn']>>;

/** Files that keep a reader busy until it is ended, and some that are seen through at once: in the short run one and one. */
function hostileUploads(): HostileFile[] {
  const names = [
    'PDF: a billion laughs of forms',
    ...(IS_LONG ? ['PDF: bomb of objects', 'bomb of spaces', 'a billion laughs'] : []),
  ];
  const known = [...hostilePdfs(), ...hostileArchives()];
  return [
    ...names.map((name) => findHostile(known, name)),
    hostile('a PNG of 16,000 by 16,000', hugePng, 'file_too_complex'),
  ];
}

/** How many files of a user wait to be read, or are being read. */
async function countUnread({ userId }: User): Promise<number> {
  const { sql } = app.database.database;
  return (await sql`select from files where user_id = ${userId} and state = 'reading'`).length;
}

test.runIf(IS_LONG)(
  'while hostile files of one account are read, each request of another is answered',
  async () => {
    const [account, other] = [await app.signedIn(), await app.signedIn()];
    const files = hostileUploads();
    const ids = await Promise.all(files.map(({ name, bytes }) => upload(account, bytes, name)));
    const statuses: number[] = [];
    let answeredMeanwhile = 0;
    // A round in a tenth of a second: no account may ask without end.
    for (let round = 0; (await countUnread(account)) > 0; round += 1) {
      const answers = await Promise.all(['/api/me', '/api/conversations'].map((path) => other.get(path)));
      const sent = round < 3 ? [await ask(other)] : [];
      expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 'completed'));
      statuses.push(...answers.map(({ status }) => status));
      if ((await countUnread(account)) > 0) answeredMeanwhile += answers.length + sent.length;
      await wait(100);
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(answeredMeanwhile).toBeGreaterThanOrEqual(9);
    const ended = await Promise.all(ids.map((id) => readInfo(account, id)));
    for (const [index, { id, name, state, error }] of ended.entries()) {
      expect(files[index]?.ends).toContain(error?.code ?? (state === 'ready' ? 'read' : state));
      if (!error) continue;
      expect(error.message).toContain(`“${name}”`);
      expect(error.message).toMatch(/\p{Script=Han}/u);
      const answer = await account.request(`/api/files/${id}`, { headers: { 'accept-language': 'en' } });
      const inEnglish = ((await answer.json()) as FileInfo).error?.message ?? '';
      expect(inEnglish).toContain(`“${name}”`);
      expect(inEnglish).not.toMatch(/\p{Script=Han}/u);
    }
    expect(await creditsOf(account)).toBe(40);
  },
  240_000,
);
