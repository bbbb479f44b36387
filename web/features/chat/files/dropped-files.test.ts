import { expect, test } from 'vitest';
import { readDropped } from './dropped-files.ts';

const file = (name: string) =>
  ({
    name,
    isFile: true,
    file: (give: (file: File) => void) => give(new File(['x'], name)),
  }) as unknown as FileSystemEntry;
const locked = (name: string) =>
  ({
    ...{ name, isFile: true },
    file: (_: unknown, fail: (error: Error) => void) => fail(new Error('not readable')),
  }) as unknown as FileSystemEntry;
const folder = (name: string, entries: FileSystemEntry[] | Error) => {
  const left = entries instanceof Error ? entries : [entries, []];
  return {
    ...{ name, isFile: false, isDirectory: true },
    createReader: () => ({
      readEntries: (give: (some: FileSystemEntry[]) => void, fail: (error: Error) => void) =>
        left instanceof Error ? fail(left) : give(left.shift() ?? []),
    }),
  } as unknown as FileSystemEntry;
};

test('what cannot be read among what was dropped is left out, and the rest is taken', async () => {
  const dropped = [
    file('一.txt'),
    folder('文件', [locked('锁住.txt'), file('二.txt')]),
    folder('锁住', new Error('not readable')),
    file('.DS_Store'),
  ];
  expect((await readDropped(dropped)).map(({ name }) => name)).toEqual(['一.txt', '二.txt']);
});
