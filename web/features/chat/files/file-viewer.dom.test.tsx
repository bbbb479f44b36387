import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { InputPart } from '#contract/message/parts.ts';
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { FileServer } from '#test/dom/file-server.ts';
import { all, closePage, draw, find, openPage, pressKey, shown } from '#test/dom/page.ts';
import { PATIENT } from '#test/patient.ts';
import { IS_LONG } from '#test/runs.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { createTranslate } from '#web/lib/translate.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import type { PdfFrame } from '../pdf/pdf-frame.ts';
import { PdfPages } from '../pdf/pdf-pages.tsx';
import { FileListDialog } from './file-list-dialog.tsx';
import { MessageFiles } from './message-files.tsx';

const t = createTranslate('zh', zh);
const PICTURE = { kind: 'image', fileId: 'picture' } as InputPart;
const NOTES = { kind: 'file', fileId: 'notes', name: 'notes.txt', type: 'text/plain' } as InputPart;
const OPEN = 'dialog[open]';

let server: FileServer;
let client: QueryClient;
let router: ReturnType<typeof createMemoryRouter>;

beforeEach(async () => {
  server = new FileServer();
  server.put({ id: 'picture', name: 'page-3.jpg', width: 900, height: 1_200 });
  server.put({ id: 'notes', name: 'notes.txt' });
  openPage(await server.start());
  client = new QueryClient();
  client.setQueryData(['file-text', 'notes'], { text: 'what is in it', isCut: false });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  closePage();
  client.clear();
  server.stop();
});

/** Draws at the second of two addresses of the history. */
function open(screen: ReactNode) {
  const routes = [
    { path: '/', element: <p>another page</p> },
    { path: '/chat', element: screen },
  ];
  router = createMemoryRouter(routes, { initialEntries: ['/', '/chat'], initialIndex: 1 });
  draw(
    <QueryClientProvider client={client}>
      <TranslationProvider language="zh" dictionary={zh}>
        <RouterProvider router={router} />
      </TranslationProvider>
    </QueryClientProvider>,
  );
}

/** Shows something else once it was pressed. */
function Later({ first, then }: { first: ReactNode; then: ReactNode }) {
  const [isLater, setLater] = useState(false);
  // biome-ignore lint/a11y: nobody uses it.
  return <div onClick={() => setLater(true)}>{isLater ? then : first}</div>;
}

const isClosed = () => vi.waitFor(() => expect(all(OPEN)).toEqual([]), PATIENT);
const hasFocus = (name: string) =>
  vi.waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe(name), PATIENT);

describe('the way back of the browser', () => {
  test('closes the viewer and stays at the page, and the way forward opens it again', async () => {
    open(<MessageFiles parts={[PICTURE, NOTES]} />);
    (await find('button', 'notes.txt')).click();
    await find(OPEN, 'notes.txt');
    await router.navigate(-1);
    await isClosed();
    await find('button', 'notes.txt');
    await router.navigate(1);
    await find(OPEN, 'notes.txt');
  });

  test('leaves the page as before once the viewer was closed by its button', async () => {
    open(<MessageFiles parts={[PICTURE]} />);
    for (const _ of [1, 2]) {
      (await find('button', t('files.openPicture'))).click();
      await find(OPEN, 'page-3.jpg');
      (await find(`${OPEN} button`, t('dialog.close'))).click();
      await isClosed();
    }
    await router.navigate(-1);
    await find('p', 'another page');
  });

  test('closes the viewer alone where the list of files is beneath it', async () => {
    open(<FileListDialog conversationId="c" open onClose={() => {}} />);
    (await find(`${OPEN} button`, 'page-3.jpg')).click();
    await vi.waitFor(() => expect(all(OPEN)).toHaveLength(2), PATIENT);
    await router.navigate(-1);
    await vi.waitFor(() => expect(all(OPEN)).toHaveLength(1), PATIENT);
    await find(OPEN, t('files.ofConversation'));
  });
});

test.runIf(IS_LONG)('the list of files reads on, also after a page that did not come', async () => {
  class Unseen {
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', Unseen);
  for (let n = 3; n <= 45; n += 1) server.put({ id: `${n}`, name: `${n}.txt` });
  open(<FileListDialog conversationId="c" open onClose={() => {}} />);
  await find(`${OPEN} button`, '20.txt');
  expect(all('li')).toHaveLength(20);
  server.fault = () => 'cut';
  (await find(`${OPEN} button`, t('files.more'))).click();
  await find('[role=alert]', t('files.moreFailed'));
  expect(all('[role=alert]')).toHaveLength(1);
  server.fault = () => undefined;
  (await find(`${OPEN} button`, t('chat.reload'))).click();
  await find(`${OPEN} button`, '40.txt');
  (await find(`${OPEN} button:not([disabled])`, t('files.more'))).click();
  await find(`${OPEN} button`, '45.txt');
  expect(all('li')).toHaveLength(45);
  expect(all(`${OPEN} button`).some(({ textContent }) => textContent === t('files.more'))).toBe(false);
});

describe('keys work as soon as the viewer is open', () => {
  test('on a picture, also the second time, when it is there at once', async () => {
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(980);
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(530);
    open(<MessageFiles parts={[PICTURE]} />);
    for (const _ of [1, 2]) {
      (await find('button', t('files.openPicture'))).click();
      await hasFocus(t('files.zoomHint'));
      await find('output', t('files.zoomFit'));
      pressKey('+');
      await find('output', '75%');
      pressKey('+');
      await find('output', '100%');
      expect((await find(`${OPEN} img`)).style.width).toBe('900px');
      pressKey('0');
      await find('output', t('files.zoomFit'));
      (await find(`${OPEN} button`, t('dialog.close'))).click();
      await isClosed();
    }
  });

  test('on the pages of a PDF, which come later', async () => {
    const pages = <PdfPages frame={{} as PdfFrame} sizes={[null, null, null]} />;
    const viewer = (content: ReactNode) => (
      <Dialog large open onClose={() => {}} title="contract.pdf">
        <div tabIndex={-1} data-focus-first>
          {content}
        </div>
      </Dialog>
    );
    open(<Later first={viewer(null)} then={viewer(pages)} />);
    await find(OPEN, 'contract.pdf');
    (await find(OPEN)).parentElement?.click();
    await hasFocus(t('files.pdfHint'));
    await find('output', '100%');
    pressKey('+');
    await find('output', '150%');
  });

  test('and a file that comes late does not take the focus from where somebody went', async () => {
    const held = Promise.withResolvers<undefined>();
    server.fault = ({ path }) => (path === '/api/files/picture' ? held.promise : undefined);
    open(<MessageFiles parts={[PICTURE]} />);
    (await find('button', t('files.openPicture'))).click();
    const close = await find(`${OPEN} button`, t('dialog.close'));
    close.focus();
    held.resolve(undefined);
    await find('section', t('files.zoomHint'));
    expect(document.activeElement).toBe(close);
  });
});

test('the text of a document is shown, and has the focus', async () => {
  open(<MessageFiles parts={[NOTES]} />);
  (await find('button', 'notes.txt')).click();
  const text = await find('pre', 'what is in it');
  await vi.waitFor(() => expect(document.activeElement).toBe(text), PATIENT);
});

test('a document that was deleted says so in its message and cannot be opened', async () => {
  server.files.delete('notes');
  server.put({ id: 'other', name: 'other.txt' });
  const other = { ...NOTES, fileId: 'other', name: 'other.txt' } as InputPart;
  open(<MessageFiles parts={[NOTES, other]} />);
  await find('li', `notes.txt${t('files.deleted')}`);
  expect(all('li button').map((one) => one.getAttribute('aria-label'))).toEqual(['other.txt']);
});

test('a document that is deleted in the list of files is shown as deleted in its message', async () => {
  open(
    <>
      <MessageFiles parts={[NOTES]} />
      <FileListDialog conversationId="c" open onClose={() => {}} />
    </>,
  );
  await find(`ul[class] button`, 'notes.txt');
  (await find('button', t('files.deleteOf', { name: 'notes.txt' }))).click();
  (await find('[role=alertdialog] button', t('chat.delete'))).click();
  await find('li', `notes.txt${t('files.deleted')}`);
});

test('a picture that is deleted in the list of files is not seen in its message any more', async () => {
  server.put({ id: 'picture', name: 'tea.png', type: 'image/png' });
  open(
    <>
      <MessageFiles parts={[PICTURE]} />
      <FileListDialog conversationId="c" open onClose={() => {}} />
    </>,
  );
  await find('li button', t('files.openPicture'));
  (await find('button', t('files.deleteOf', { name: 'tea.png' }))).click();
  (await find('[role=alertdialog] button', t('chat.delete'))).click();
  await find('li', t('files.pictureGone'));
});

test('a file that cannot be deleted is kept, and the question says so and can be answered once more', async () => {
  open(<FileListDialog conversationId="c" open onClose={() => {}} />);
  const remove = t('files.deleteOf', { name: 'notes.txt' });
  (await find('button', remove)).click();
  server.fault = ({ method }) => (method === 'DELETE' ? 'cut' : undefined);
  (await find('[role=alertdialog] button', t('chat.delete'))).click();
  await find('[role=alertdialog][open] [role=alert]', t('chat.changeFailed'));
  expect([...server.files.keys()]).toContain('notes');
  server.fault = () => undefined;
  (await find('[role=alertdialog] button:not([disabled])', t('chat.delete'))).click();
  await vi.waitFor(() => expect(all('[role=alertdialog][open]')).toEqual([]), PATIENT);
  await vi.waitFor(() => expect(all('button', remove)).toEqual([]), PATIENT);
});

test('a file that another tab has deleted counts as deleted', async () => {
  open(<FileListDialog conversationId="c" open onClose={() => {}} />);
  const remove = t('files.deleteOf', { name: 'notes.txt' });
  (await find('button', remove)).click();
  server.files.delete('notes');
  (await find('[role=alertdialog][open] button', t('chat.delete'))).click();
  await vi.waitFor(() => expect(all('button', remove)).toEqual([]), PATIENT);
  await vi.waitFor(() => expect(all('[role=alertdialog][open]')).toEqual([]), PATIENT);
});

test('a choice that cannot be kept says so at its file', async () => {
  server.fault = ({ method }) => (method === 'PUT' ? { status: 503, code: 'overloaded' } : undefined);
  open(<FileListDialog conversationId="c" open onClose={() => {}} />);
  (await find('input[name=turns-notes][value=once]')).click();
  const alert = await find(`${OPEN} li [role=alert]`, t('chat.changeFailed'));
  expect(alert.closest('li')?.textContent).toContain('notes.txt');
});

test('a picture that cannot be loaded for a moment is not said to be deleted', async () => {
  server.put({ id: 'picture', name: 'tea.png', type: 'image/png' });
  open(<MessageFiles parts={[PICTURE]} />);
  (await find<HTMLImageElement>('li img')).dispatchEvent(new Event('error'));
  await find('li', t('files.pictureLater'));
  expect(shown()).not.toContain(t('files.pictureGone'));
});

test('a picture that is not there says that it was deleted', async () => {
  server.files.delete('picture');
  open(<MessageFiles parts={[PICTURE]} />);
  (await find<HTMLImageElement>('li img')).dispatchEvent(new Event('error'));
  await find('li', t('files.pictureGone'));
});

test('a document that cannot be asked for is not said to be deleted', async () => {
  server.fault = ({ path }) =>
    path === '/api/files/notes' ? { status: 503, code: 'overloaded' } : undefined;
  client.setDefaultOptions({ queries: { retryDelay: 1 } });
  open(<MessageFiles parts={[NOTES]} />);
  await vi.waitFor(() => expect(server.of('GET').length).toBeGreaterThan(2), PATIENT);
  await vi.waitFor(() => expect(client.isFetching()).toBe(0), PATIENT);
  expect(all('li button')).toHaveLength(1);
  expect(shown()).not.toContain(t('files.deleted'));
});

test('the pictures of a message stand before its documents', async () => {
  open(<MessageFiles parts={[NOTES, PICTURE]} />);
  await find('li', 'notes.txt');
  expect(all('li').map((one) => one.querySelector('img') !== null)).toEqual([true, false]);
});

test('a picture that comes neither whole nor small says so, and is asked for again', async () => {
  open(<MessageFiles parts={[PICTURE]} />);
  (await find('button', t('files.openPicture'))).click();
  await find('section', t('files.zoomHint'));
  const sources = () => all<HTMLImageElement>(`${OPEN} img`).map((image) => new URL(image.src).pathname);
  const fail = () => all(`${OPEN} img`)[0]?.dispatchEvent(new Event('error'));
  await vi.waitFor(() => expect(sources()).toEqual(['/api/files/picture/content']), PATIENT);
  fail();
  await vi.waitFor(() => expect(sources()).toEqual(['/api/files/picture/thumbnail']), PATIENT);
  fail();
  await find(`${OPEN} [role=alert]`, t('files.loadFailed'));
  (await find(`${OPEN} button`, t('chat.reload'))).click();
  await vi.waitFor(() => expect(sources()).toEqual(['/api/files/picture/content']), PATIENT);
});
