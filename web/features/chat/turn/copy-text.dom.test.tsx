import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { closePage, draw, find, openPage } from '#test/dom/page.ts';
import { PATIENT } from '#test/patient.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { currentToasts, dismissToast } from '#web/ui/toast-store.ts';
import { CopyText } from './copy-text.tsx';

beforeEach(() => openPage('http://localhost'));
afterEach(() => {
  closePage();
  for (const { id } of currentToasts()) dismissToast(id);
});

/** Presses the button that copies a text, with the clipboard that the browser gives the page. */
async function copy(clipboard: { writeText: (text: string) => Promise<void> } | undefined) {
  Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true });
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'clipboard');
  });
  draw(
    <TranslationProvider language="zh" dictionary={zh}>
      <CopyText read={() => '潮汐'} label={zh.chat.copyAnswer} />
    </TranslationProvider>,
  );
  (await find('button', zh.chat.copyAnswer)).click();
}

test('where the page has no clipboard, as over plain HTTP, it says that it could not copy', async () => {
  await copy(undefined);
  await vi.waitFor(() => expect(currentToasts().at(-1)?.text).toBe(zh.chat.copyFailed), PATIENT);
});

test('it says that it has copied', async () => {
  const writeText = vi.fn(async () => {});
  await copy({ writeText });
  await find('[role=status]', zh.chat.copied);
  expect(writeText.mock.calls).toEqual([['潮汐']]);
});
