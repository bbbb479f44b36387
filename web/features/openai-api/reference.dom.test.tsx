import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import en from '#i18n/en/common.json' with { type: 'json' };
import { all, closePage, draw, find, openPage } from '#test/dom/page.ts';
import { PATIENT } from '#test/patient.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { Reference } from './reference.tsx';

beforeEach(() => openPage('http://localhost'));
afterEach(() => {
  closePage();
  vi.restoreAllMocks();
});

const HTML = `<h2 id="calls">Calls</h2>
<pre tabindex="0"><code class="language-json">{ <span class="hljs-attr">&quot;a&quot;</span>: <span class="hljs-number">1</span> }
</code></pre>
<p>Between</p>
<!-- models -->
<pre tabindex="0"><code class="language-text">data: [DONE]
</code></pre>
<p>After</p>`;

it('each block of code stands in its place in colours, with a button that copies its text', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  draw(
    <QueryClientProvider client={client}>
      <TranslationProvider language="en" dictionary={en}>
        <Reference html={HTML} />
      </TranslationProvider>
    </QueryClientProvider>,
  );
  await find('pre .hljs-attr', '"a"');
  expect(all('h2, figure, p').map((one) => one.textContent)).toEqual([
    'Calls',
    'jsonCopy{ "a": 1 }',
    'Between',
    'Copydata: [DONE]',
    'After',
  ]);
  for (const button of all('figure button')) button.click();
  await vi.waitFor(() => expect(write.mock.calls).toEqual([['{ "a": 1 }'], ['data: [DONE]']]), PATIENT);
});
