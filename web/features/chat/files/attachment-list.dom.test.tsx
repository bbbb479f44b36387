import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MAX_PIECE, MEGABYTE } from '#contract/limits.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { FileServer } from '#test/dom/file-server.ts';
import { all, closePage, draw, find, openPage, pressKey, shown } from '#test/dom/page.ts';
import { PATIENT } from '#test/patient.ts';
import { IS_LONG } from '#test/runs.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { createTranslate } from '#web/lib/translate.ts';
import { AttachmentList } from './attachment-list.tsx';
import { Attachments } from './attachments.ts';

const DICTIONARY = { zh, en } as const;
const MENU = 'button[aria-haspopup=menu]';
const OPTION = '[role=menuitemradio]';

let server: FileServer;
let attachments: Attachments;
let t = createTranslate('zh', zh);

beforeEach(async () => {
  server = new FileServer();
  openPage(await server.start());
});
afterEach(() => {
  closePage();
  server.stop();
});

function open(language: 'zh' | 'en' = 'zh') {
  t = createTranslate(language, DICTIONARY[language]);
  attachments = new Attachments(() => {});
  draw(
    <TranslationProvider language={language} dictionary={DICTIONARY[language]}>
      <AttachmentList attachments={attachments} />
    </TranslationProvider>,
  );
}

const file = (name: string, bytes = 5) => new File([new Uint8Array(bytes)], name);
/** So many files, from `0.txt`. */
const named = (count: number, bytes = 5) => Array.from({ length: count }, (_, n) => file(`${n}.txt`, bytes));
/** Waits until a file can be sent. */
const ready = (name: string) => find('button', t('files.remove', { name }));
const offsets = () => server.of('PATCH').map(({ offset }) => offset);

/** Holds the requests of a method until `go`. */
function hold(method: string, from = 0) {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  server.fault = (asked) =>
    asked.method === method && server.of(method).length > from ? promise : undefined;
  return { go: () => resolve(undefined) };
}

describe.each(['zh', 'en'] as const)('the menu of a file, in %s', (language) => {
  test('says by pointer that it is read in this turn only, and in every turn again', async () => {
    open(language);
    attachments.add([file('notes.txt')]);
    await ready('notes.txt');
    for (const [key, everyTurn] of [
      ['files.thisTurn', false],
      ['files.everyTurn', true],
    ] as const) {
      (await find(MENU)).click();
      (await find(OPTION, t(key))).click();
      await find(MENU, t(key));
      expect(JSON.parse(String(server.of('PUT').at(-1)?.body))).toEqual({ everyTurn });
      await vi.waitFor(() => expect(all(OPTION)).toEqual([]), PATIENT);
    }
    expect(server.of('PUT')).toHaveLength(2);
  });

  test('is worked by keyboard alone, and gives the focus back', async () => {
    open(language);
    attachments.add([file('notes.txt')]);
    await ready('notes.txt');
    const trigger = await find(MENU, t('files.everyTurn'));
    expect(trigger.textContent).toContain(t('files.turnsOf', { name: 'notes.txt' }));
    const focused = (text: string) =>
      vi.waitFor(() => expect(document.activeElement?.textContent).toContain(text), PATIENT);
    trigger.focus();
    pressKey('ArrowDown');
    await focused(t('files.everyTurnNote'));
    expect(document.activeElement?.getAttribute('aria-checked')).toBe('true');
    pressKey('ArrowDown');
    await focused(t('files.thisTurnNote'));
    pressKey('Escape');
    expect(document.activeElement).toBe(trigger);
    expect(server.of('PUT')).toEqual([]);

    pressKey('Enter');
    await focused(t('files.everyTurnNote'));
    pressKey('End');
    await focused(t('files.thisTurnNote'));
    pressKey('Enter');
    expect(document.activeElement).toBe(trigger);
    await find(MENU, t('files.thisTurn'));
    expect(server.files.values().next().value?.info.everyTurn).toBe(false);
  });
});

test('a choice that the server does not take is not shown as made', async () => {
  open();
  attachments.add([file('notes.txt')]);
  await ready('notes.txt');
  server.fault = ({ method }) => (method === 'PUT' ? { status: 500, code: 'internal' } : undefined);
  (await find(MENU)).click();
  (await find(OPTION, t('files.thisTurn'))).click();
  await vi.waitFor(() => expect(server.of('PUT')).toHaveLength(1), PATIENT);
  await find(MENU, t('files.everyTurn'));
});

test('a photo loses its location unless its user chose to keep it, and says where it has not', async () => {
  open();
  attachments.add([file('first.jpg')]);
  await ready('first.jpg');
  attachments.keepPlace(true);
  attachments.add([file('second.jpg')]);
  await ready('second.jpg');
  attachments.keepPlace(false);
  attachments.add([file('third.jpg')]);
  await ready('third.jpg');
  expect([...server.files.values()].map(({ metadata }) => metadata)).toEqual([
    { filename: 'first.jpg' },
    { filename: 'second.jpg', keep_place: 'true' },
    { filename: 'third.jpg' },
  ]);
  expect(all('li', t('files.placeKept')).map((one) => one.querySelector('p')?.textContent)).toEqual([
    'second.jpg',
  ]);
});

test('an upload shows how far it is, and one that is cancelled is deleted and sends nothing more', async () => {
  open();
  const held = hold('PATCH', 2);
  attachments.add([file('scan.pdf', 4 * MAX_PIECE)]);
  await find('p', t('files.uploading', { percent: 50 }));
  const progress = await find<HTMLProgressElement>('progress', t('files.progressOf', { name: 'scan.pdf' }));
  expect([progress.value, progress.max]).toEqual([2 * MAX_PIECE, 4 * MAX_PIECE]);
  await vi.waitFor(() => expect(server.of('PATCH')).toHaveLength(3), PATIENT);
  (await find('button', t('files.cancel', { name: 'scan.pdf' }))).click();
  await vi.waitFor(() => expect(all('li')).toEqual([]), PATIENT);
  await vi.waitFor(() => expect(server.of('DELETE')).toHaveLength(1), PATIENT);
  expect(server.of('DELETE')[0]?.path).toMatch(/\?unnamed=true$/);
  held.go();
  attachments.add([file('other.txt')]);
  await ready('other.txt');
  expect(offsets()).toEqual([0, MAX_PIECE, 2 * MAX_PIECE, 0]);
});

test('of several files three are on their way at once, each with its progress, and the others follow', async () => {
  open();
  const held = hold('PATCH');
  const names = ['1.txt', '2.txt', '3.txt', '4.txt', '5.txt'];
  attachments.add(names.map((name) => file(name)));
  await vi.waitFor(() => expect(server.of('PATCH')).toHaveLength(3), PATIENT);
  expect(all('li')).toHaveLength(5);
  await vi.waitFor(() => expect(all('progress')).toHaveLength(3), PATIENT);
  expect(all('li', t('files.waiting')).map((one) => one.querySelector('p')?.textContent)).toEqual([
    '4.txt',
    '5.txt',
  ]);
  expect(server.files.size).toBe(3);
  held.go();
  for (const name of names) await ready(name);
  expect(all('progress')).toEqual([]);
});

test('a file whose piece was refused is uploaded on request from where it was', async () => {
  open();
  server.fault = ({ method }) =>
    method === 'PATCH' && server.of('PATCH').length === 2 ? { status: 500, code: 'internal' } : undefined;
  attachments.add([file('scan.pdf', 3 * MAX_PIECE)]);
  await find('[role=alert]', t('errors.internal'));
  (await find('button', t('files.retry', { name: 'scan.pdf' }))).click();
  await ready('scan.pdf');
  expect(all('[role=alert]')).toEqual([]);
  expect(server.of('HEAD')).toHaveLength(1);
  expect(server.files.size).toBe(1);
  expect(offsets()).toEqual([0, MAX_PIECE, MAX_PIECE, 2 * MAX_PIECE]);
});

test('an upload whose network is cut says so, and goes on by itself behind what arrived', async () => {
  open();
  server.fault = ({ method }) => (method === 'PATCH' && server.of('PATCH').length === 2 ? 'cut' : undefined);
  attachments.add([file('scan.pdf', 3 * MAX_PIECE)]);
  await find('[role=status]', t('files.lost'));
  expect(all('progress')).toHaveLength(1);
  dispatchEvent(new Event('online'));
  await ready('scan.pdf');
  expect(offsets()).toEqual([0, MAX_PIECE, 1.5 * MAX_PIECE, 2.5 * MAX_PIECE]);
  expect([...server.files.values()][0]?.received).toBe(3 * MAX_PIECE);
});

test('a photo that is whole and stored shorter, while its page lost the answer, is sent no more and is ready', async () => {
  open();
  server.fault = ({ method, body }) => {
    const [begun] = server.files.values();
    if (method !== 'PATCH' || begun?.info.state !== 'uploading') return undefined;
    Object.assign(begun.info, { state: 'ready', bytes: body.length / 2 });
    return 'cut';
  };
  attachments.add([file('photo.jpg', 4)]);
  await find('[role=status]', t('files.lost'));
  dispatchEvent(new Event('online'));
  await ready('photo.jpg');
  expect(offsets()).toEqual([0]);
});

test('a file that was changed on its disk since it was chosen does not claim to go on by itself', async () => {
  open();
  server.fault = ({ method }) => (method === 'PATCH' ? 'cut' : undefined);
  const refuse = () => Promise.reject(new DOMException('changed', 'NotReadableError'));
  const piece = Object.assign(new Blob(['x']), { slice: () => ({ arrayBuffer: refuse }) });
  attachments.add([Object.assign(file('notes.txt'), { slice: () => piece })]);
  await find('[role=alert]', t('files.isUnreadable'));
  expect(shown()).not.toContain(t('files.lost'));
  expect(server.of('PATCH')).toHaveLength(1);
});

test('an upload that was begun although no answer came is the same one when it is asked for again', async () => {
  open();
  server.fault = ({ method }) => (method === 'POST' && server.of('POST').length === 1 ? 'cut' : undefined);
  attachments.add([file('scan.pdf')]);
  await find('[role=status]', t('files.lost'));
  dispatchEvent(new Event('online'));
  await ready('scan.pdf');
  expect(server.of('POST')).toHaveLength(2);
  expect(server.files.size).toBe(1);
});

test('an upload that was begun although no answer came is deleted with its file', async () => {
  open();
  server.fault = ({ method }) => (method === 'POST' ? 'cut' : undefined);
  attachments.add([file('scan.pdf')]);
  await find('[role=status]', t('files.lost'));
  expect(server.files.size).toBe(1);
  (await find('button', t('files.cancel', { name: 'scan.pdf' }))).click();
  await vi.waitFor(() => expect(server.files.size).toBe(0), PATIENT);
});

test('a file that was deleted in another tab while it was read says so', async () => {
  open();
  const reading = hold('GET', 1);
  attachments.add([file('notes.txt')]);
  await find('[role=status]', t('files.reading'));
  server.files.clear();
  reading.go();
  await find('[role=alert]', t('files.isDeleted'));
});

test('an upload that another tab has moved on goes on behind that', async () => {
  open();
  server.fault = ({ method }) => {
    const [begun] = server.files.values();
    if (method === 'PATCH' && server.of('PATCH').length === 2 && begun) begun.received = 2 * MAX_PIECE;
    return undefined;
  };
  attachments.add([file('scan.pdf', 3 * MAX_PIECE)]);
  await ready('scan.pdf');
  expect(offsets()).toEqual([0, MAX_PIECE, 2 * MAX_PIECE]);
  expect(shown()).not.toContain(t('files.lost'));
});

describe.each(['zh', 'en'] as const)('what the server would refuse, in %s,', (language) => {
  test('is refused before a byte is sent, in words that do not name the file again', async () => {
    open(language);
    attachments.add([file('empty.txt', 0)]);
    await find('[role=alert]', t('files.isEmpty'));
    server.usage.fileLimit = MEGABYTE;
    attachments.add([file('large.txt', MEGABYTE + 1)]);
    await find('[role=alert]', t('files.isTooLarge', { limit: 1 }));
    server.usage.bytes = server.usage.quota;
    attachments.add([file('more.txt')]);
    await find('[role=alert]', t('errors.file_storage_full', { limit: 100 }));
    for (const line of all('[role=alert]')) expect(line.textContent).not.toContain('.txt');
    expect(server.files.size).toBe(0);
  });

  test.runIf(IS_LONG)('of eleven files is the last, which is left out and said once', async () => {
    open(language);
    attachments.add(named(11));
    await find('[role=alert]', t('files.leftOut', { limit: 10, count: 1 }));
    for (const { name } of named(10)) await ready(name);
    expect(all('li')).toHaveLength(10);
    expect(all('[role=alert]')).toHaveLength(1);
    (await ready('9.txt')).click();
    await vi.waitFor(() => expect(all('[role=alert]')).toEqual([]), PATIENT);
    attachments.add([file('more.txt'), file('other.txt'), file('last.txt')]);
    await find('[role=alert]', t('files.leftOut', { limit: 10, count: 2 }));
    await ready('more.txt');
    expect(all('li')).toHaveLength(10);
    expect(server.of('POST')).toHaveLength(11);
  });
});

test.runIf(IS_LONG)('files that cannot be sent take no place of one that can', async () => {
  open();
  attachments.add([file('a.txt'), ...named(4, 0), file('b.txt')]);
  await ready('b.txt');
  attachments.add(named(9));
  await find('[role=alert]', t('files.leftOut', { limit: 10, count: 1 }));
  await ready('7.txt');
  expect(all('li')).toHaveLength(14);
  expect(all('[role=alert]', t('files.isEmpty'))).toHaveLength(4);
});

test('the list goes to a file that cannot be sent, and keeps those below it in sight', async () => {
  const gone = vi.spyOn(Element.prototype, 'scrollIntoView');
  const names = () => gone.mock.contexts.map((one) => (one as Element).querySelector('p')?.textContent);
  open();
  server.fault = ({ method }) => (method === 'POST' ? { status: 500, code: 'internal' } : undefined);
  attachments.add([file('late.txt'), file('empty.txt', 0)]);
  await find('[role=alert]', t('errors.internal'));
  await vi.waitFor(
    () => expect(names()).toEqual(['empty.txt', 'empty.txt', 'empty.txt', 'late.txt']),
    PATIENT,
  );
  gone.mockRestore();
});

test('a file that would fail again is not offered to be uploaded again', async () => {
  open();
  server.fault = ({ method }) => (method === 'POST' ? { status: 500, code: 'internal' } : undefined);
  server.usage.fileLimit = 5;
  attachments.add([file('empty.txt', 0), file('large.txt', 6), file('fine.txt')]);
  await find('button', t('files.retry', { name: 'fine.txt' }));
  await find('[role=alert]', t('files.isTooLarge', { limit: 0 }));
  for (const name of ['empty.txt', 'large.txt'])
    expect(all('button', t('files.retry', { name }))).toEqual([]);
});

test('a long name is cut before its ending', async () => {
  open();
  attachments.add([file('Screenshot of today at 10.05.31.png')]);
  await ready('Screenshot of today at 10.05.31.png');
  const parts = all('li p span span').map((one) => one.textContent);
  expect(parts).toEqual(['Screenshot of today at 10.05.31', '.png']);
});

test('a file is called by the name that the server made safe', async () => {
  open();
  server.fault = () => {
    for (const { info } of server.files.values()) info.name = 'cod.exe';
    return undefined;
  };
  attachments.add([file('cod\u202eexe.')]);
  await ready('cod.exe');
  expect(shown()).not.toContain('\u202e');
});

test('a file that was cut off by a reload waits for the same file, and goes on where it stopped', async () => {
  open();
  server.put({ id: 'kept', name: 'scan.pdf', bytes: 2 * MAX_PIECE, state: 'uploading' });
  const kept = server.files.get('kept');
  if (kept) kept.received = MAX_PIECE;
  attachments.restore([{ id: 'kept', name: 'scan.pdf', bytes: 2 * MAX_PIECE }]);
  await find('[role=status]', t('files.cut'));
  attachments.add([file('scan.pdf', 2 * MAX_PIECE)]);
  await ready('scan.pdf');
  expect(all('li')).toHaveLength(1);
  expect(offsets()).toEqual([MAX_PIECE]);
});

test('a file that is taken off before the server has answered that it begins is deleted there', async () => {
  open();
  const { go } = hold('POST');
  attachments.add([file('notes.txt')]);
  await vi.waitFor(() => expect(server.of('POST')).toHaveLength(1), PATIENT);
  const [item] = attachments.read();
  attachments.remove(item?.key ?? '');
  go();
  await vi.waitFor(() => expect(server.of('DELETE')).toHaveLength(1), PATIENT);
  expect(server.of('DELETE')[0]?.path).toMatch(/^\/api\/files\/[^/]+\?unnamed=true$/);
  await vi.waitFor(() => expect(server.files.size).toBe(0), PATIENT);
  expect(server.of('PATCH')).toEqual([]);
});

test('a file has a box of one height, and beneath it why it cannot be sent', async () => {
  open('en');
  const { go } = hold('PATCH');
  attachments.add([file('notes.txt'), file('empty.txt', 0)]);
  const fault = await find('[role=alert]', t('files.isEmpty'));
  const box = fault.previousElementSibling;
  expect(box?.textContent).toContain('empty.txt');
  expect(box?.contains(fault)).toBe(false);
  const heights = () => all('li').map((item) => item.firstElementChild?.className.match(/\bh-\d+/)?.[0]);
  expect(heights()).toEqual(['h-14', 'h-14']);
  go();
  await ready('notes.txt');
  expect(heights()).toEqual(['h-14', 'h-14']);
});
