import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import en from '#i18n/en/common.json' with { type: 'json' };
import { closePage, draw, find, openPage, shown, type as typeInto } from '#test/dom/page.ts';
import { PATIENT } from '#test/patient.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { KeyForm } from './key-form.tsx';

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
