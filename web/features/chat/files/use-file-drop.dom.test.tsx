import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { all, closePage, draw, find, give, openPage } from '#test/dom/page.ts';
import { PATIENT } from '#test/patient.ts';
import { useFileDrop } from './use-file-drop.ts';

let dropped: string[][];

beforeEach(() => {
  dropped = [];
  openPage('http://localhost');
  draw(<Place onFiles={(files) => dropped.push(files.map(({ name }) => name))} />);
});
afterEach(closePage);

/** A page that takes files. */
function Place({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const isOver = useFileDrop(onFiles);
  return (
    <>
      <nav>list</nav>
      <main>
        <p>text</p>
        {isOver ? <strong>drop here</strong> : null}
      </main>
    </>
  );
}

const file = (name: string) => new File(['x'], name);

/** What a drag carries, with folders as the browser gives them. */
function held(files: File[], entries = files.map((one) => entryOf(one))) {
  const items = entries.map((entry) => ({ webkitGetAsEntry: () => entry }));
  return { dataTransfer: { types: ['Files'], files, items, dropEffect: 'none' } };
}

function entryOf(one: File) {
  return {
    name: one.name,
    isFile: true,
    isDirectory: false,
    file: (done: (file: File) => void) => done(one),
  };
}

function folder(name: string, inside: object[]) {
  const parts = [inside, []];
  const createReader = () => ({
    readEntries: (done: (entries: object[]) => void) => done(parts.shift() ?? []),
  });
  return { name, isFile: false, isDirectory: true, createReader };
}

test('files over the window show where they can be dropped, until they leave it', async () => {
  const main = await find('main');
  const inner = await find('p');
  give(main, 'dragenter', held([file('a.txt')]));
  await find('strong');
  give(inner, 'dragenter', held([file('a.txt')]));
  give(main, 'dragleave', held([file('a.txt')]));
  expect(all('strong')).toHaveLength(1);
  give(inner, 'dragleave', held([file('a.txt')]));
  await vi.waitFor(() => expect(all('strong')).toEqual([]), PATIENT);
});

test('files that are dropped anywhere are taken, and the browser does not open them', async () => {
  const list = await find('nav');
  const drag = held([file('a.txt'), file('b.png')]);
  give(list, 'dragenter', drag);
  await find('strong');
  expect(give(list, 'dragover', drag)).toBe(false);
  expect(drag.dataTransfer.dropEffect).toBe('copy');
  expect(give(list, 'drop', drag)).toBe(false);
  expect(dropped).toEqual([['a.txt', 'b.png']]);
  await vi.waitFor(() => expect(all('strong')).toEqual([]), PATIENT);
});

test('a folder that is dropped gives the files in it, without the hidden ones of the system', async () => {
  const inner = folder('deep', [entryOf(file('c.md')), entryOf(file('.DS_Store'))]);
  const entries = [folder('papers', [entryOf(file('a.txt')), inner]), entryOf(file('b.png'))];
  give(await find('main'), 'drop', held([file('papers'), file('b.png')], entries as never));
  await vi.waitFor(() => expect(dropped).toEqual([['b.png', 'a.txt', 'c.md']]), PATIENT);
});

test('text that is dragged is left to the browser', async () => {
  const main = await find('main');
  const text = { dataTransfer: { types: ['text/plain'], files: [], items: [] } };
  for (const type of ['dragenter', 'dragover', 'drop']) expect(give(main, type, text)).toBe(true);
  expect(all('strong')).toEqual([]);
  expect(dropped).toEqual([]);
});
