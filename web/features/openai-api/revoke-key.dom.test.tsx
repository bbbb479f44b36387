import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ApiKey } from '#contract/keys.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import { closePage, draw, find, openPage } from '#test/dom/page.ts';
import { PATIENT } from '#test/patient.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { RevokeKey } from './revoke-key.tsx';

beforeEach(() => openPage('http://localhost'));
afterEach(() => {
  closePage();
  vi.unstubAllGlobals();
});

it('a key that is revoked already is taken for revoked, and nothing is wrong', async () => {
  const refusal = JSON.stringify({ error: { code: 'not_found' } });
  vi.stubGlobal('fetch', async () => new Response(refusal, { status: 404 }));
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
  const onClose = vi.fn();
  draw(
    <QueryClientProvider client={client}>
      <TranslationProvider language="en" dictionary={en}>
        <RevokeKey revoked={{ id: 'one', name: 'My script' } as ApiKey} onClose={onClose} />
      </TranslationProvider>
    </QueryClientProvider>,
  );
  (await find('dialog[open] button', en.keys.revoke)).click();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledTimes(1), PATIENT);
});
