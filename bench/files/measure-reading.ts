import { percentile } from '../percentile.ts';
import { against, table } from '../results.ts';
import type { Rig } from '../rig.ts';
import { waitForQuiet } from '../streams/measure-load.ts';
import { seedUsers } from '../streams/seed-users.ts';
import { BUDGETS } from './budgets.ts';
import { makeTypical } from './sample-files.ts';
import { openUploader, type SampleFile, type Uploader } from './uploader.ts';

const ROUNDS = 10;
const USERS = 8;

/** From the answer to the last piece until the file can be sent: one at a time, then many at once. */
export async function measureReading(rig: Rig): Promise<string> {
  const { cookies } = await seedUsers(rig, USERS);
  const users = cookies.map((cookie) => openUploader(rig, cookie));
  const files = await makeTypical();
  const [first] = users;
  const rows: (string | number)[][] = [];
  await waitForQuiet();
  if (first) for (const [name, file] of Object.entries(files)) rows.push(await measureOne(first, name, file));
  return [
    '**Until a file can be sent**, from its last piece on',
    table(['file', 'kB', 'rounds', 'p50 ms', 'worst ms'], rows),
    await measureMany(users, Object.values(files)),
  ].join('\n\n');
}

async function measureOne(user: Uploader, name: string, file: SampleFile) {
  await readyMs(user, file);
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) took.push(await readyMs(user, file));
  const times = Float64Array.from(took);
  const p50 = against(percentile(times, 0.5), BUDGETS.readyMs);
  return [name, file.bytes.length / 1e3, took.length, p50, percentile(times, 1)];
}

async function readyMs(user: Uploader, file: SampleFile): Promise<number> {
  const { id } = await user.send(file);
  const began = performance.now();
  await user.ready(id);
  return performance.now() - began;
}

/** Each user sends one of each, all of them at once. */
async function measureMany(users: Uploader[], files: SampleFile[]): Promise<string> {
  await waitForQuiet();
  const began = performance.now();
  const readings = users.flatMap((user) => files.map(async (file) => user.ready((await user.send(file)).id)));
  await Promise.all(readings);
  const seconds = (performance.now() - began) / 1_000;
  const row = [readings.length, seconds, readings.length / seconds];
  return table(['one of each of 8 users at once: files', 'all can be sent after s', 'files / s'], [row]);
}
