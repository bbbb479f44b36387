import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message } from '#contract/chat.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { FileServer } from '#test/dom/file-server.ts';
import { all, closePage, draw, find, give, openPage, pressKey, shown, type } from '#test/dom/page.ts';
import { PATIENT } from '#test/patient.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { createTranslate } from '#web/lib/translate.ts';
import { currentToasts } from '#web/ui/toast-store.ts';
import { Composer } from '../composer/composer.tsx';
import { Draft } from '../composer/draft.ts';
import type { Turn } from '../messages/thread.ts';
import { useOutgoing } from './use-outgoing.ts';
import { useSubmit } from './use-submit.ts';

const DICTIONARY = { zh, en } as const;
/** What 112,000 tokens hold. */
const WORDS = { zh: '11 万', en: '84,000' } as const;
const BLIND = modelOf('blind', 5, false);
const SEEING = modelOf('seeing', 8, true);
/** By what the server says it reads scans besides. */
const READING = modelOf('reading', 12, true);
const OTHER = modelOf('other', 9, true);
/** It sees, and makes pictures instead of answering. */
const DRAWING = {
  ...modelOf('drawing', 4, true),
  pictures: { ratios: [], sizes: ['1K'], prices: { '1K': 4 } },
} as unknown as CatalogueModel;
const MODELS = [BLIND, SEEING, OTHER, READING, DRAWING];

let server: FileServer;
let sent: { content: string; model: string; files: readonly string[] }[];
let draft: Draft;
let t = createTranslate('zh', zh);

beforeEach(async () => {
  server = new FileServer();
  server.quote = ({ model }) => ({ max: MODELS.find(({ id }) => id === model)?.cost ?? 0, lines: [] });
  sent = [];
  openPage(await server.start());
});
afterEach(() => {
  closePage();
  server.stop();
});

function modelOf(id: string, cost: number, readsImages: boolean): CatalogueModel {
  const tools = { search: false, code: false, addresses: false };
  return {
    ...{ id, title: { zh: id, en: id }, description: { zh: '', en: '' }, cost, contextTokens: 128_000 },
    ...{ tiers: ['free'], comingSoon: false, computerUse: false, computer: null, readsImages, efforts: [] },
    ...{ tools, laterCosts: [], pictures: null, coveredSteps: null, allowed: true, paused: false },
    missingSetting: null,
  };
}

/** The composer with all that a message carries, of a model, beneath turns; the models are known once `loaded` is done. */
function open(
  model: CatalogueModel,
  turns: Turn[] = [],
  language: 'zh' | 'en' = 'zh',
  loaded?: Promise<unknown>,
) {
  t = createTranslate(language, DICTIONARY[language]);
  draft = new Draft('user', crypto.randomUUID());
  const client = new QueryClient();
  draw(
    <MemoryRouter>
      <QueryClientProvider client={client}>
        <TranslationProvider language={language} dictionary={DICTIONARY[language]}>
          <Writing first={model.id} turns={turns} loaded={loaded} />
        </TranslationProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  );
}

const QUEUE = { isMoving: false, items: [], add: () => 'queuesFull' as const };

interface WritingProps {
  first: string;
  turns: Turn[];
  loaded: Promise<unknown> | undefined;
}

function Writing({ first, turns, loaded }: WritingProps) {
  const [id, setId] = useState(first);
  const [state, setState] = useState<'loading' | 'ready'>(loaded ? 'loading' : 'ready');
  useEffect(() => {
    void loaded?.then(() => setState('ready'));
  }, [loaded]);
  const models = state === 'ready' ? MODELS : [];
  const model = models.find((one) => one.id === id);
  const outgoing = useOutgoing({ conversationId: 'c', turns, pending: null, model, draft });
  const { files, extras, quote } = outgoing;
  const submitted = useSubmit(
    { state, draft, queue: QUEUE, model, credits: 100, files, extras, quote },
    async (content) => {
      sent.push({ content, model: id, files: extras.files ?? [] });
    },
  );
  return (
    <Composer
      {...{ draft, models, model, outgoing, credits: 100, state, problem: null, isShort: false }}
      onChooseModel={setId}
      isAnswered={false}
      isQueueing={false}
      onSubmit={submitted.submit}
      isAwaited={submitted.isAwaited}
      onChange={submitted.cancelSubmit}
      onStop={async () => true}
    />
  );
}

const file = (name: string) => new File(['x'], name);
const field = () => find<HTMLTextAreaElement>('textarea');
const grown = () => t('quote.grown', { price: t('chat.charged', { credits: 11 }) });
const ready = (name: string) => find('button', t('files.remove', { name }));

/** Writes a question and presses Enter. */
async function ask(question: string): Promise<void> {
  const text = await field();
  type(text, question);
  text.focus();
  pressKey('Enter');
}

/** Pastes what a clipboard holds; true where the page took it. */
async function paste(files: File[], text = ''): Promise<boolean> {
  return !give(await field(), 'paste', { clipboardData: { files, getData: () => text } });
}

/** Chooses files in a dialog of the browser. */
function choose(input: HTMLInputElement, files: File[]): void {
  Object.defineProperty(input, 'files', { value: files, configurable: true });
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

test('a pasted picture is attached, and text with a picture beside it stays text', async () => {
  open(SEEING);
  expect(await paste([file('image.png')])).toBe(true);
  await ready('image.png');
  expect(await paste([file('cells.png')], '1\t2')).toBe(false);
  expect(all('li')).toHaveLength(1);
});

test('a long text that is pasted becomes a file on request', async () => {
  open(SEEING);
  const long = 'word '.repeat(1_000);
  type(await field(), `Sum up: ${long}`);
  expect(await paste([], long)).toBe(false);
  (await find('button', t('files.pastedAsFile'))).click();
  await ready(t('files.pastedName'));
  expect(draft.read()).toBe('Sum up: ');
  expect([...server.files.values()][0]?.info.bytes).toBe(long.length);
});

test('the menu opens the camera of a phone, whose picture is attached', async () => {
  open(SEEING);
  const camera = await find<HTMLInputElement>('input[capture]', t('files.camera'));
  expect(camera.getAttribute('capture')).toBe('environment');
  expect(camera.accept).toBe('image/*');
  const pressed = vi.fn();
  camera.addEventListener('click', pressed);
  (await find('button', t('files.add'))).click();
  (await find('[role=menuitem]', t('files.camera'))).click();
  expect(pressed).toHaveBeenCalledTimes(1);
  choose(camera, [file('photo.jpg')]);
  await ready('photo.jpg');
});

test('the menu keeps the location of photos that are added then, says so, and ends it', async () => {
  open(SEEING);
  (await find('button', t('files.add'))).click();
  const item = await find('[role=menuitemcheckbox]', t('files.keepPlace'));
  expect(item.getAttribute('aria-checked')).toBe('false');
  item.click();
  const tag = await find('button', t('files.keepPlaceTag'));
  choose(await find<HTMLInputElement>('[data-files]'), [file('there.jpg')]);
  await ready('there.jpg');
  tag.click();
  await vi.waitFor(() => expect(all('button', t('files.keepPlaceTag'))).toEqual([]), PATIENT);
  choose(await find<HTMLInputElement>('[data-files]'), [file('gone.jpg')]);
  await ready('gone.jpg');
  const kept = [...server.files.values()].map(({ metadata }) => [metadata.filename, metadata.keep_place]);
  expect(kept).toEqual([
    ['there.jpg', 'true'],
    ['gone.jpg', undefined],
  ]);
});

test('a message that is written while its file is on its way goes out with it, once', async () => {
  open(SEEING);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  server.fault = ({ method }) => (method === 'PATCH' ? promise : undefined);
  choose(await find<HTMLInputElement>('[data-files]'), [file('notes.txt')]);
  await find('li', 'notes.txt');
  await ask('What is in it?');
  await find('[role=status]', t('files.sendWaits'));
  expect(sent).toEqual([]);
  resolve(undefined);
  await vi.waitFor(() => expect(sent).toHaveLength(1), PATIENT);
  expect(sent).toEqual([{ content: 'What is in it?', model: 'seeing', files: [...server.files.keys()] }]);
});

test('a message whose files make it dearer than what stood there is asked for once more', async () => {
  server.quote = ({ files = [] }) => ({ max: files.length > 0 ? 11 : 8, lines: [] });
  open(SEEING);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  server.fault = ({ method }) => (method === 'PATCH' ? promise : undefined);
  choose(await find<HTMLInputElement>('[data-files]'), [file('long.txt')]);
  await find('li', 'long.txt');
  await find('[role=status]', t('quote.unread'));
  expect(shown()).not.toContain(t('chat.modelPrice', { cost: 8 }));
  await ask('What is in it?');
  resolve(undefined);
  await vi.waitFor(() => expect(currentToasts().at(-1)?.text).toBe(grown()), PATIENT);
  expect(sent).toEqual([]);
  expect(draft.read()).toBe('What is in it?');
  await ask('What is in it?');
  await vi.waitFor(() => expect(sent).toHaveLength(1), PATIENT);
});

test.each([
  [8, 'goes out once it is no higher than what stood there', 1],
  [11, 'is asked for once more where it turns out higher', 0],
])('while its price is asked a message rests its button; at %i it %s', async (max, _, count) => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  server.quote = () => ({ max, lines: [] });
  server.fault = ({ path }) => (path === '/api/quotes' ? promise : undefined);
  open(SEEING);
  choose(await find<HTMLInputElement>('[data-files]'), [file('long.txt')]);
  await find('[role=status]', t('quote.pending'));
  type(await field(), 'What is in it?');
  const [button] = all<HTMLButtonElement>('[type=submit]');
  expect(button?.disabled).toBe(true);
  await ask('What is in it?');
  expect(sent).toEqual([]);
  resolve(undefined);
  await vi.waitFor(() => expect(button?.disabled).toBe(false), PATIENT);
  expect(sent).toHaveLength(count);
});

test('a question that is asked while the models load goes out at the price of its model, once', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  open(SEEING, [], 'zh', promise);
  await ask('Who are you?');
  await vi.waitFor(() => expect(shown()).toContain(t('chat.sending')), PATIENT);
  expect(sent).toEqual([]);
  resolve();
  await vi.waitFor(() => expect(sent).toHaveLength(1), PATIENT);
  expect(sent[0]).toMatchObject({ content: 'Who are you?', model: 'seeing' });
});

test('a question that is asked while the models load and turns out dearer than its model is asked for once more', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.quote = () => ({ max: 11, lines: [] });
  open(SEEING, [], 'zh', promise);
  choose(await find<HTMLInputElement>('[data-files]'), [file('long.txt')]);
  await ask('What is in it?');
  resolve();
  await vi.waitFor(() => expect(currentToasts().at(-1)?.text).toBe(grown()), PATIENT);
  expect(sent).toEqual([]);
  expect(draft.read()).toBe('What is in it?');
});

describe.each(['zh', 'en'] as const)('a message that is not sent says why, in %s:', (language) => {
  test('a file of it has failed', async () => {
    open(SEEING, [], language);
    type(await field(), 'What is in it?');
    choose(await find<HTMLInputElement>('[data-files]'), [new File([], 'empty.txt')]);
    await find('[role=alert]', t('files.removeFailed'));
    expect(all<HTMLButtonElement>('[type=submit]')[0]?.disabled).toBe(true);
    const remove = await find('button', t('files.remove', { name: 'empty.txt' }));
    remove.focus();
    remove.click();
    await vi.waitFor(() => expect(all('[role=alert]')).toEqual([]), PATIENT);
    await vi.waitFor(async () => expect(document.activeElement).toBe(await field()), PATIENT);
    expect(all<HTMLButtonElement>('[type=submit]')[0]?.disabled).toBe(false);
  });

  test('a file is longer than its model reads, with its name and no way to ask again', async () => {
    const params = { tokens: 241_800, limit: 112_000 };
    server.quote = () => ({ status: 413, code: 'context_too_long', params });
    open(SEEING, [], language);
    choose(await find<HTMLInputElement>('[data-files]'), [file('book.txt')]);
    const said = { ...params, model: 'seeing', size: '128K', words: WORDS[language] };
    await find('[role=alert]', t('files.tooLong', said));
    expect(all('button', t('chat.reload'))).toEqual([]);
  });

  test('its price could not be asked, and can be asked again', async () => {
    server.quote = () => ({ status: 500, code: 'internal' });
    open(SEEING, [], language);
    choose(await find<HTMLInputElement>('[data-files]'), [file('notes.txt')]);
    await find('[role=alert]', t('quote.failed'));
    server.quote = () => ({ max: 9, lines: [] });
    (await find('button', t('chat.reload'))).click();
    await vi.waitFor(() => expect(all('[role=alert]')).toEqual([]), PATIENT);
  });
});

describe.each(['zh', 'en'] as const)('a model that cannot see, in %s', (language) => {
  test('says so of a picture of the message before it is sent, and offers the cheapest that can', async () => {
    open(BLIND, [], language);
    await paste([file('image.png')]);
    await ready('image.png');
    await find('[role=alert]', t('files.blind', { model: 'blind' }));
    expect(all('button', t('files.leaveOut'))).toEqual([]);
    await ask('What is it?');
    expect(sent).toEqual([]);
    (await find('button', t('files.useModel', { model: 'seeing', cost: 8 }))).click();
    await vi.waitFor(() => expect(shown()).not.toContain(t('files.blind', { model: 'blind' })), PATIENT);
    await ask('What is it?');
    await vi.waitFor(() => expect(sent).toHaveLength(1), PATIENT);
    expect(sent[0]).toMatchObject({ model: 'seeing', files: [...server.files.keys()] });
  });

  test('of scans alone says so once the price is asked, and offers the one that the server names', async () => {
    server.quote = ({ model, files = [] }) =>
      model === 'reading' || files.length === 0
        ? { max: 9, lines: [] }
        : { status: 422, code: 'model_reads_no_files', params: { model: 'reading' } };
    server.fault = () => {
      for (const { info } of server.files.values()) info.hasText = false;
      return undefined;
    };
    open(SEEING, [], language);
    choose(await find<HTMLInputElement>('[data-files]'), [file('scan.pdf')]);
    await ready('scan.pdf');
    await find('[role=alert]', t('files.noScans', { model: 'seeing' }));
    await ask('What is it?');
    expect(sent).toEqual([]);
    (await find('button', t('files.useModel', { model: 'reading', cost: 12 }))).click();
    await vi.waitFor(() => expect(all('[role=alert]')).toEqual([]), PATIENT);
    await ask('What is it?');
    await vi.waitFor(() => expect(sent).toHaveLength(1), PATIENT);
    expect(sent[0]?.model).toBe('reading');
  });

  const inputParts = [
    { kind: 'text', text: 'Look' },
    { kind: 'image', fileId: 'photo' },
  ];
  const quote = { max: 8, lines: [] };
  const above = { id: 'm', parentId: null, content: 'Look', inputParts, quote } as unknown as Message;
  const turns = [{ message: above }] as unknown as Turn[];

  /** A conversation with a picture, a scan and a text above, as the server has them. */
  function withPicturesAbove() {
    server.put({ id: 'photo', name: 'photo.jpg', type: 'image/jpeg', hasText: false });
    server.put({ id: 'scan', name: 'scan.pdf', type: 'application/pdf', hasText: false });
    server.put({ id: 'text', name: 'notes.txt' });
    const isRefused = (model: string) =>
      model === 'blind' && [...server.files.values()].some(({ info }) => info.everyTurn && !info.hasText);
    server.quote = ({ model }) =>
      isRefused(model)
        ? { status: 422, code: 'model_reads_no_files', params: { model: 'seeing' } }
        : { max: 9, lines: [{ kind: 'files', max: 1, params: {} }] };
    open(BLIND, turns, language);
  }

  test('says so of pictures of earlier turns before anything is sent, and goes on without them when told to', async () => {
    withPicturesAbove();
    await find('[role=alert]', t('files.blindBefore', { model: 'blind' }));
    await ask('And now?');
    expect(sent).toEqual([]);
    (await find('button', t('files.leaveOut'))).click();
    await find('[role=status]', t('files.unseen', { model: 'blind' }));
    const changed = server.of('PUT').map(({ path }) => path);
    expect(changed.toSorted()).toEqual(['/api/files/photo/every-turn', '/api/files/scan/every-turn']);
    expect(server.files.get('text')?.info.everyTurn).toBe(true);
    await find('button', t('chat.charged', { credits: 9 }));
    await vi.waitFor(() => expect(all<HTMLButtonElement>('[type=submit]')[0]?.disabled).toBe(false), PATIENT);
    await ask('And now?');
    await vi.waitFor(() => expect(sent).toHaveLength(1), PATIENT);
    expect(sent[0]).toEqual({ content: 'And now?', model: 'blind', files: [] });
  });

  test('offers one that sees them', async () => {
    withPicturesAbove();
    (await find('button', t('files.useModel', { model: 'seeing', cost: 8 }))).click();
    await vi.waitFor(
      () => expect(shown()).not.toContain(t('files.blindBefore', { model: 'blind' })),
      PATIENT,
    );
    await find('button', t('chat.charged', { credits: 9 }));
    await ask('And now?');
    await vi.waitFor(() => expect(sent).toHaveLength(1), PATIENT);
    expect(sent[0]?.model).toBe('seeing');
    expect(server.of('PUT')).toEqual([]);
    expect(shown()).not.toContain(t('files.unseen', { model: 'seeing' }));
  });
});
