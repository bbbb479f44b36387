import { createHash } from 'node:crypto';
import { percentile } from '../percentile.ts';
import { cpuSeconds } from '../process-usage.ts';
import { against, table } from '../results.ts';
import type { Rig } from '../rig.ts';
import { waitForQuiet } from '../streams/measure-load.ts';
import { seedUsers } from '../streams/seed-users.ts';
import { BUDGETS } from './budgets.ts';
import { makeLarge, makeSmall } from './sample-files.ts';
import { openUploader, type SampleFile, type Uploader } from './uploader.ts';

const ROUNDS = 10;
const SMALL_FILES = 100;

/** Uploads of the largest file one after the other, its downloads, and small files, alone and ten at once. */
export async function measureTransfers(rig: Rig): Promise<string> {
  const { cookies } = await seedUsers(rig, 1);
  const user = openUploader(rig, cookies[0] ?? '');
  const large = await makeLarge();
  const id = await warmUp(user, large);
  const rows = [await measureUpload(rig, user, large), await measureDownload(rig, user, { large, id })];
  const heads = ['20 MB', 'rounds', 'p50 s', 'worst s', 'MB/s', 'server CPU ms / MB', 'PostgreSQL'];
  const small = [await measureSmall(rig, 1), await measureSmall(rig, 10)];
  const smallHeads = [
    ...['100 kB each', 'files', 'files / s', 'p50 ms', 'p99 ms'],
    ...['server CPU ms / file, readers included', 'PostgreSQL', 'all read, files / s'],
  ];
  return [
    '**Uploads in pieces of 1 MB, as the browser sends them, and downloads**',
    table(heads, rows),
    '**Small files**; those that came before are read meanwhile',
    table(smallHeads, small),
  ].join('\n\n');
}

async function warmUp(user: Uploader, file: SampleFile): Promise<string> {
  const { id } = await user.send(file);
  await user.ready(id);
  await download(user, id);
  return id;
}

async function measureUpload(rig: Rig, user: Uploader, large: SampleFile) {
  const seconds: number[] = [];
  const cpu = { server: 0, database: 0 };
  await waitForQuiet();
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = readCpu(rig);
    const { id, ms } = await user.send(large);
    const after = readCpu(rig);
    cpu.server += after.server - before.server;
    cpu.database += after.database - before.database;
    seconds.push(ms / 1_000);
    await user.ready(id);
  }
  return largeRow('upload', large, { seconds, cpu, budget: BUDGETS.uploadSeconds });
}

async function measureDownload(rig: Rig, user: Uploader, { large, id }: { large: SampleFile; id: string }) {
  const seconds: number[] = [];
  await waitForQuiet();
  const before = readCpu(rig);
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    const bytes = await download(user, id);
    seconds.push((performance.now() - began) / 1_000);
    if (sha256(bytes) !== sha256(large.bytes)) throw new Error('a download is not what was uploaded');
  }
  const after = readCpu(rig);
  const cpu = { server: after.server - before.server, database: after.database - before.database };
  return largeRow('download', large, { seconds, cpu, budget: BUDGETS.downloadSeconds });
}

async function download({ client }: Uploader, id: string): Promise<Buffer> {
  const response = await client.get(`/api/files/${id}/content`);
  if (!response.ok) throw new Error(`a download was answered ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

interface Taken {
  seconds: number[];
  cpu: { server: number; database: number };
  budget: number;
}

function largeRow(name: string, { bytes }: SampleFile, { seconds, cpu, budget }: Taken) {
  const megabytes = bytes.length / 1e6;
  const times = Float64Array.from(seconds);
  const p50 = percentile(times, 0.5);
  const each = (spent: number) => (spent * 1_000) / (seconds.length * megabytes);
  return [
    ...[name, seconds.length, against(p50, budget), percentile(times, 1), megabytes / p50],
    ...[each(cpu.server), each(cpu.database)],
  ];
}

/** So many users at once, each one file after the other. */
async function measureSmall(rig: Rig, atOnce: 1 | 10) {
  const { cookies } = await seedUsers(rig, atOnce);
  const users = cookies.map((cookie) => openUploader(rig, cookie));
  const small = makeSmall();
  await waitForQuiet();
  const before = readCpu(rig);
  const began = performance.now();
  const took: number[] = [];
  const readings: Promise<unknown>[] = [];
  const sendAll = async (user: Uploader) => {
    for (let left = SMALL_FILES / atOnce; left > 0; left -= 1) {
      const { id, ms } = await user.send(small);
      took.push(ms);
      readings.push(user.ready(id));
    }
  };
  await Promise.all(users.map(sendAll));
  const seconds = (performance.now() - began) / 1_000;
  await Promise.all(readings);
  const readSeconds = (performance.now() - began) / 1_000;
  const after = readCpu(rig);
  const times = Float64Array.from(took);
  const each = (spent: number) => (spent * 1_000) / took.length;
  return [
    ...[atOnce === 1 ? 'one after the other' : `${atOnce} at once`, took.length, took.length / seconds],
    ...[against(percentile(times, 0.5), BUDGETS.smallMs[atOnce]), percentile(times, 0.99)],
    ...[each(after.server - before.server), each(after.database - before.database)],
    took.length / readSeconds,
  ];
}

function readCpu(rig: Rig) {
  return { server: cpuSeconds(rig.server.pid), database: cpuSeconds(rig.postgres.pid) };
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
