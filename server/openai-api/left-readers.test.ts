import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { takeCredits } from '#server/credits/take-credits.ts';
import { API_READERS } from '#server/files/ingest/read-in-slot.ts';
import { apiUser } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { creditsOf } from '#test/chat/chat.ts';
import { picture } from '#test/chat/files.ts';
import { askedParts, dataUrl, file, image, MODEL, question } from '#test/files/api-parts.ts';
import { sheetOfOneText } from '#test/hostile-files/hostile-archives.ts';
import { flatGif } from '#test/hostile-files/hostile-pictures.ts';
import { onePage, stream } from '#test/hostile-files/make-pdf.ts';
import { IS_LONG } from '#test/runs.ts';
import { openFiles } from './question/open-files.ts';

/** Tells the readers of this file from those of others, by what they are started with. */
const OWN_FILE_MB = '19';

let app: TestApp;
let small: string;
/** Twenty pictures that take about a second each, in less than a megabyte: as large as a GIF may be. */
let slow: ReturnType<typeof question>;
beforeAll(async () => {
  app = await createTestApp({ env: { FILE_LIMIT_MB: OWN_FILE_MB, MAX_RUNNING_PER_USER: '2' } });
  small = dataUrl('image/png', await picture());
  const gif = dataUrl('image/gif', flatGif(4_700));
  slow = question(...Array.from({ length: 20 }, () => image(gif)));
});
beforeEach(() => app.gemini.reset());
afterAll(() => app.close());

type Api = Awaited<ReturnType<typeof apiUser>>;

async function countReaders(): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'args']);
  const isOurs = (line: string) => line.includes(`"bytes":${Number(OWN_FILE_MB) * 1_048_576},`);
  return stdout.split('\n').filter((line) => isOurs(line) && !line.startsWith('/bin/sh')).length;
}

/** How many readers have ended so far. */
async function countRead(): Promise<number> {
  const { values } = await app.deps.metrics.fileReadingCpu.get();
  const counts = values.filter(({ metricName }) => metricName?.endsWith('_count'));
  return counts.reduce((sum, { value }) => sum + value, 0);
}

/** A request that is being read, and what makes its caller go. */
function begin({ client }: Api) {
  const caller = new AbortController();
  const sent = client.chat.completions.create(slow, { signal: caller.signal }).then(
    () => 'answered',
    ({ code, message }) => String(code ?? message),
  );
  return {
    sent,
    leave() {
      caller.abort();
      return sent;
    },
  };
}

test.runIf(IS_LONG)('pictures whose caller has gone are not read, and no reader stays', async () => {
  const user = await apiUser(app);
  const { leave } = begin(user);
  await expect.poll(countReaders).toBeGreaterThan(0);
  expect(await leave()).toContain('aborted');
  await expect.poll(countReaders).toBe(0);
  const ask = () => user.client.chat.completions.create(question(image(small)));
  await ask();
  const before = await countRead();
  await ask();
  expect(await countRead()).toBe(before + 1);
});

test.runIf(IS_LONG)('files of no more requests of a user are read at once than may run', async () => {
  const user = await apiUser(app);
  const requests = [begin(user), begin(user), begin(user)];
  expect(await Promise.race(requests.map(({ sent }) => sent))).toBe('rate_limit_exceeded');
  const ends = await Promise.all(requests.map(({ leave }) => leave()));
  expect(ends.filter((end) => end.includes('aborted'))).toHaveLength(2);
  await expect
    .poll(() => user.client.chat.completions.create(question(image(small))).then(({ object }) => object))
    .toBe('chat.completion');
});

test.runIf(IS_LONG)(
  'for a user without the credits of a message no picture is read, but an answer is given again',
  async () => {
    const user = await apiUser(app);
    const asked = question(image(small));
    const again = () =>
      user.client.chat.completions.create(asked, { headers: { 'idempotency-key': 'once' } });
    const first = await again();
    const { userId } = user.user;
    const amount = await creditsOf(user.user);
    await app.database.database.sql.begin((tx) => takeCredits(tx, { userId, amount, at: null }));
    const before = await countRead();
    const refused = user.client.chat.completions.create(asked);
    await expect(refused).rejects.toMatchObject({ code: 'insufficient_quota' });
    expect((await again()).choices).toEqual(first.choices);
    expect(await countRead()).toBe(before);
    expect(await askedParts(app.gemini)).not.toEqual([]);
  },
);

test.runIf(IS_LONG)(
  'of files that unpack to more than the model reads no more are read once that is known',
  async () => {
    const user = await apiUser(app);
    const sheet = sheetOfOneText(3_000_000);
    expect(sheet.length).toBeLessThan(5_000);
    const before = await countRead();
    const parts = Array.from({ length: 30 }, () => file(sheet, 'sales.xlsx'));
    const sent = user.client.chat.completions.create(question(...parts));
    await expect(sent).rejects.toMatchObject({ code: 'context_length_exceeded' });
    await expect.poll(countReaders).toBe(0);
    expect((await countRead()) - before).toBeLessThanOrEqual(API_READERS);
  },
);

test.runIf(IS_LONG)(
  'a PDF of one page with more text than the model reads is seen, and its text is not kept',
  async () => {
    const user = await apiUser(app);
    const told = async (length: number) => {
      const words = '1 0 0 1 50 700 Tm (aaaaaaaaaa) Tj '.repeat(length / 10);
      const data = onePage({ 4: stream(`BT /F1 12 Tf ${words} ET`) });
      const { turns } = await openFiles(app.deps, {
        userId: user.user.userId,
        model: MODEL,
        context: { limit: 1_000, taken: 0 },
        isForPrice: false,
        turns: [
          {
            role: 'user',
            parts: [
              {
                kind: 'given',
                field: '0',
                name: 'a.pdf',
                isPicture: false,
                detail: 'auto',
                source: { data },
              },
            ],
          },
        ],
      });
      const [part] = turns[0]?.parts ?? [];
      if (part?.kind !== 'file') throw new Error('a PDF is a file');
      return [part.tokens, part.source.hasText, (await part.source.text())?.length];
    };
    expect(await told(3_000)).toEqual([560, true, 3_001]);
    expect(await told(30_000)).toEqual([560, false, undefined]);
  },
);
