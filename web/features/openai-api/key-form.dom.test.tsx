import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import en from '#i18n/en/common.json' with { type: 'json' };
import { closePage, draw, find, openPage, shown, type as typeInto } from '#test/dom/page.ts';
import { PATIENT } from '#test/patient.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { KeyForm } from './key-form.tsx';
import { KeyManager } from './key-manager.tsx';

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

it('a last day that is typed in part is wrong, and no key is made', async () => {
  const confirmed = vi.fn();
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
  draw(
    <QueryClientProvider client={client}>
      <TranslationProvider language="en" dictionary={en}>
        <KeyForm confirmed={confirmed} edited={null} onCancel={() => {}} onDone={() => {}} />
      </TranslationProvider>
    </QueryClientProvider>,
  );
  typeInto(await find<HTMLInputElement>('input[data-focus-first]'), 'My script');
  const lastDay = await find<HTMLInputElement>('input[type=date]');
  Object.defineProperty(lastDay, 'validity', { value: { badInput: true } });
  (await find('button', en.keys.create)).click();
  await vi.waitFor(() => expect(shown()).toContain(en.keys.lastDayWrong), PATIENT);
  expect(confirmed).not.toHaveBeenCalled();
});

it('a new key that the browser does not copy, as over plain HTTP, is said in its dialog not to be copied', async () => {
  Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'clipboard');
  });
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
  const makeKey = async <T,>() => ({ key: 'sk-parley-new' }) as unknown as T;
  draw(
    <QueryClientProvider client={client}>
      <TranslationProvider language="en" dictionary={en}>
        <KeyManager confirmed={makeKey} />
      </TranslationProvider>
    </QueryClientProvider>,
  );
  (await find('button', en.keys.create)).click();
  typeInto(await find<HTMLInputElement>('dialog[open] input[data-focus-first]'), 'My script');
  (await find('dialog[open] button', en.keys.create)).click();
  await find('dialog[open] code', 'sk-parley-new');
  (await find('dialog[open] button', en.keys.copy)).click();
  await find('dialog[open] [role=alert]', en.chat.copyFailed);
});
