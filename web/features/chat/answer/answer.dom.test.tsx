import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Message } from '#contract/chat.ts';
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { all, closePage, draw, find, openPage } from '#test/dom/page.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { Answer } from './answer.tsx';
import { AnswerText } from './answer-text.tsx';
import { loadMarkdown, preloadMarkdown } from './load-markdown.ts';

beforeEach(() => openPage('http://localhost'));
afterEach(() => {
  closePage();
  vi.unstubAllGlobals();
});

/** A stream of the events of an answer that stays open. */
function stream(...events: [event: string, data: object][]): Response {
  const lines = events.map(
    ([event, data], n) => `id: ${n + 1}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
  );
  const start = (body: ReadableStreamDefaultController) =>
    body.enqueue(new TextEncoder().encode(lines.join('')));
  return new Response(new ReadableStream({ start }));
}

test('the seconds that a model thinks are counted from the question, also on a page that opens later', async () => {
  vi.stubGlobal('fetch', async () => stream(['reasoning', { text: '先想一想。' }]));
  const message = {
    ...{ id: 'one', userId: 'me', conversationId: 'one', parentId: null, content: '为什么？', response: '' },
    ...{ modelType: 'parley-pro', timestamp: Date.now() - 65_000, status: 'running', error: null },
  } as unknown as Message;
  draw(
    <MemoryRouter>
      <QueryClientProvider client={new QueryClient()}>
        <TranslationProvider language="zh" dictionary={zh}>
          <Answer message={message} pending={false} />
        </TranslationProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  );
  const label = await find('summary', '思考中 ·');
  const [, seconds] = /思考中 · (\d+) 秒/.exec(label.textContent ?? '') ?? [];
  expect(Number(seconds)).toBeGreaterThanOrEqual(65);
});

test('an answer is never shown as it was written where the renderer was fetched before', async () => {
  preloadMarkdown();
  await loadMarkdown();
  await new Promise((resolve) => setTimeout(resolve));
  draw(
    <TranslationProvider language="zh" dictionary={zh}>
      <AnswerText messageId="one" text="**潮汐**" start={0} sources={null} running={false} watched />
    </TranslationProvider>,
  );
  expect(all('strong').map(({ textContent }) => textContent)).toEqual(['潮汐']);
});
