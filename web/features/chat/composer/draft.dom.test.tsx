import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { FileServer } from '#test/dom/file-server.ts';
import { closePage, draw, openPage } from '#test/dom/page.ts';
import { PATIENT } from '#test/patient.ts';
import { type Draft, useDraft } from './draft.ts';
import { clearDrafts, NEW_CONVERSATION, readDraft, saveDraft } from './draft-storage.ts';
import { keepFirstQuestion } from './first-question.ts';

beforeEach(() => openPage('http://127.0.0.1'));
afterEach(closePage);

let draft: Draft;
function Composer({ id, isNew }: { id: string; isNew: boolean }) {
  draft = useDraft('u', id, isNew);
  return null;
}

/** Shows a conversation, as if the reader came from another one. */
function open(id: string, isNew = false) {
  draw(<Composer key={crypto.randomUUID()} id={id} isNew={isNew} />);
  return draft;
}

test('a question from the home page comes before what was unsent in a new conversation', async () => {
  saveDraft('u', NEW_CONVERSATION, { text: '写了一半', files: [] });
  keepFirstQuestion('潮汐是怎么来的？');
  const opened = open('c', true);
  await expect.poll(() => opened.read()).toBe('潮汐是怎么来的？\n\n写了一半');
  expect(readDraft('u', NEW_CONVERSATION).text).toBe('潮汐是怎么来的？\n\n写了一半');
});

test('who leaves while a message is on its way and comes back does not find its text a second time', () => {
  const first = open('c');
  first.write('潮汐');
  first.beginSending('1');
  const again = open('c');
  expect(again.read()).toBe('');
  again.write('还有');
  first.endSending('1', true);
  expect([open('c').read(), readDraft('u', 'c').text]).toEqual(['还有', '还有']);
});

test('a message that is refused after they left is there when they come back', () => {
  const first = open('c');
  first.write('潮汐');
  first.beginSending('1');
  open('other');
  first.endSending('1', false);
  expect(open('c').read()).toBe('潮汐');
});

test('two messages on their way at once come back or go each by itself', () => {
  const first = open('c');
  first.write('一');
  first.beginSending('1');
  const again = open('c');
  again.write('二');
  again.beginSending('2');
  again.endSending('other', true);
  again.endSending('2', true);
  expect(readDraft('u', 'c').text).toBe('一');
  again.write('三');
  first.endSending('1', false);
  expect([again.read(), readDraft('u', 'c').text]).toEqual(['一\n\n三', '一\n\n三']);
});

/** A server that answers no request of the method before `resolve` is called. */
async function startWaitingServer(waiting = 'POST') {
  const server = new FileServer();
  openPage(await server.start());
  onTestFinished(() => server.stop());
  const { promise, resolve } = Promise.withResolvers<undefined>();
  server.fault = ({ method }) => (method === waiting ? promise : undefined);
  return { server, resolve: () => resolve(undefined) };
}

test.each([
  ['before the server knows of it', 'POST'],
  ['half-way', 'PATCH'],
])('a file whose writer leaves %s goes on, and is sent once', async (_, method) => {
  const { server, resolve } = await startWaitingServer(method);
  const first = open('c');
  first.write('潮汐');
  first.attachments.add([new File(['x'], 'tides.pdf')]);
  await vi.waitFor(() => expect(server.of(method)).toHaveLength(1), PATIENT);
  open('other');
  const again = open('c');
  const states = () => again.attachments.read().map(({ name, state }) => [name, state]);
  expect(states()).toEqual([['tides.pdf', method === 'POST' ? 'waiting' : 'uploading']]);
  resolve();
  await vi.waitFor(() => expect(states()).toEqual([['tides.pdf', 'ready']]), PATIENT);
  again.beginSending('1');
  again.endSending('1', true);
  const back = open('c');
  expect([back.read(), back.attachments.read(), readDraft('u', 'c').files]).toEqual(['', [], []]);
});

test('a file on its way goes along when a new conversation gets its address', async () => {
  const { resolve } = await startWaitingServer();
  const first = open('begun', true);
  first.attachments.add([new File(['x'], 'tides.pdf')]);
  first.moveTo('begun');
  expect(open('next', true).attachments.read()).toEqual([]);
  expect(open('begun').attachments.read()).toHaveLength(1);
  resolve();
  await vi.waitFor(() => expect(first.attachments.read()[0]?.state).toBe('ready'), PATIENT);
  expect(readDraft('u', 'begun').files).toHaveLength(1);
});

test('a draft on its way goes with the sign-out, and its upload is given up', async () => {
  const { server, resolve } = await startWaitingServer();
  const first = open('c');
  first.write('潮汐');
  first.attachments.add([new File(['x'], 'tides.pdf')]);
  await vi.waitFor(() => expect(server.of('POST')).toHaveLength(1), PATIENT);
  clearDrafts();
  resolve();
  await vi.waitFor(() => expect(server.of('DELETE')).toHaveLength(1), PATIENT);
  const back = open('c');
  expect([back.read(), back.attachments.read(), readDraft('u', 'c').text]).toEqual(['', [], '']);
});
