import { useState } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ConfirmationPart, StepPart } from '#contract/message/parts.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { all, closePage, draw, find, openPage } from '#test/dom/page.ts';
import { PATIENT } from '#test/patient.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { RunPicture, ShowLarger } from './run-picture.tsx';

const DICTIONARY = { zh, en } as const;
const OPEN = 'dialog[open]';
const STEP = { kind: 'step', n: 1, fileId: 'one', url: 'http://shop.test/zh/prices' } as StepPart;
const QUESTION = { kind: 'confirmation', id: 'q', state: 'waiting' } as ConfirmationPart;

let router: ReturnType<typeof createMemoryRouter>;

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

/** The picture of a run: of its first step, or as it is now; a press on “Ask” has the model ask something. */
function Picture({ live = null, isDriven = false }: { live?: string | null; isDriven?: boolean }) {
  const [asked, ask] = useState<ConfirmationPart | null>(null);
  const screen = { picture: live, state: null, beginAct: () => () => {} };
  const run = { entries: [STEP], steps: [STEP], asked };
  return (
    <>
      <button type="button" onClick={() => ask(QUESTION)}>
        Ask
      </button>
      {isDriven ? <ShowLarger run={run} shown={null} screen={screen} isDriven /> : null}
      <div id="picture">
        <RunPicture run={run} shown={live === null ? 1 : null} screen={screen} isDriven={isDriven} />
      </div>
    </>
  );
}

function open(language: 'zh' | 'en', picture: { live?: string; isDriven?: boolean } = {}) {
  router = createMemoryRouter([{ path: '/', element: <Picture {...picture} /> }]);
  draw(
    <TranslationProvider language={language} dictionary={DICTIONARY[language]}>
      <RouterProvider router={router} />
    </TranslationProvider>,
  );
}

const isClosed = () => vi.waitFor(() => expect(all(OPEN)).toEqual([]), PATIENT);

test.each([
  ['zh', '查看大图：第 1 步之后的页面', '第 1 步之后的页面'],
  ['en', 'View larger: The page after step 1', 'The page after step 1'],
] as const)('in %s a press on the page shows it large, with its address', async (language, button, name) => {
  open(language);
  (await find('button', button)).click();
  const viewer = await find(OPEN, name);
  expect(viewer.textContent).toContain('shop.test/zh/prices');
  const image = viewer.querySelector('img');
  expect([image?.getAttribute('src'), image?.alt]).toEqual(['/api/files/one/content', name]);
  await find('button', DICTIONARY[language].files.zoomIn);
  await router.navigate(-1);
  await isClosed();
});

test('the page as it is now is shown large too', async () => {
  open('zh', { live: 'data:image/jpeg;base64,AAAA' });
  (await find('button', '查看大图：实时画面')).click();
  const viewer = await find(OPEN, '实时画面');
  expect(viewer.querySelector('img')?.getAttribute('src')).toBe('data:image/jpeg;base64,AAAA');
});

test('a question closes it when it comes, and may be looked at larger before it is answered', async () => {
  open('zh');
  (await find('button', '查看大图')).click();
  await find(OPEN, '第 1 步之后的页面');
  (await find('button', 'Ask')).click();
  await isClosed();
  (await find('button', '查看大图')).click();
  await find(OPEN, '第 1 步之后的页面');
});

test('while the reader drives a press on the picture is for the page, and a button shows it larger', async () => {
  open('zh', { live: 'data:image/jpeg;base64,AAAA', isDriven: true });
  await find('#picture img');
  expect(all('#picture button')).toEqual([]);
  (await find('button', '查看大图：实时画面')).click();
  const viewer = await find(OPEN, '实时画面');
  expect(viewer.querySelector('img')?.getAttribute('src')).toBe('data:image/jpeg;base64,AAAA');
});
