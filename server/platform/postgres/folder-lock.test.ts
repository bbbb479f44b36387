import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startScript } from '#test/child-program.ts';
import { FolderInUse, lockFolder } from './folder-lock.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-lock-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Collects garbage, because a lock that only its finder remembers must not be garbage. */
const HOLD = `
  import { lockFolder } from '#server/platform/postgres/folder-lock.ts';
  import { setFlagsFromString } from 'node:v8';
  import { runInNewContext } from 'node:vm';
  lockFolder(process.env.FOLDER);
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  console.log('held');
  setInterval(() => {}, 1000);
`;

it('a released folder can be locked again', () => {
  lockFolder(folder).release();
  lockFolder(folder).release();
});

it('a second lock is refused in both languages, naming the folder and the holder', () => {
  const lock = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(FolderInUse);
  expect(() => lockFolder(folder)).toThrow(`数据目录 ${folder} 正被进程 ${process.pid} 使用`);
  expect(() => lockFolder(folder)).toThrow(`The data folder ${folder} is in use by process ${process.pid}`);
  lock.release();
});

it('another process holds a folder until it is killed', async () => {
  const holder = startScript(HOLD, { env: { ...process.env, FOLDER: folder } });
  await holder.line((line) => line === 'held');
  expect(() => lockFolder(folder)).toThrow(`${holder.process.pid}`);
  holder.process.kill('SIGKILL');
  await holder.ended;
  lockFolder(folder).release();
});

it('a folder that cannot be made is named in both languages', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(() => lockFolder(join(file, 'data'))).toThrow(
    /无法写入数据目录 .*\n.*cannot write to the data folder/,
  );
});
