import { StrictMode, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { closePage, draw, find, openPage, pressKey, type } from '#test/dom/page.ts';
import { PATIENT } from '#test/patient.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { TitleField } from './title-field.tsx';

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

/** What the field gave, each time that it was done. */
let done: (string | null)[];
/** Takes the field off the page. */
let take: () => void;

function Page() {
  const [isThere, setThere] = useState(true);
  take = () => setThere(false);
  return isThere ? <TitleField title="潮汐" onDone={(title) => done.push(title)} /> : <p>gone</p>;
}

/** Opens the field, and returns it. */
function open() {
  done = [];
  draw(
    <StrictMode>
      <TranslationProvider language="zh" dictionary={zh}>
        <Page />
      </TranslationProvider>
    </StrictMode>,
  );
  return find<HTMLInputElement>('input');
}

test('a title is kept when its field goes while it is written', async () => {
  type(await open(), '月亮');
  expect(done).toEqual([]);
  take();
  await find('p', 'gone');
  await vi.waitFor(() => expect(done).toEqual(['月亮']), PATIENT);
});

test('a title that Escape gave up is not kept when its field goes', async () => {
  const field = await open();
  type(field, '月亮');
  field.focus();
  pressKey('Escape');
  take();
  await find('p', 'gone');
  expect(done).toEqual([null]);
});
