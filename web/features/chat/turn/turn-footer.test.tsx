import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message } from '#contract/chat.ts';
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { AnswerEnd } from './answer-end.tsx';
import { type TurnActions, TurnContext } from './turn-actions.ts';
import { TurnFooter } from './turn-footer.tsx';

const MODEL = {
  ...{ id: 'parley-flash', cost: 15, efforts: [], pictures: null },
  tools: { search: false, code: false, addresses: false },
} as unknown as CatalogueModel;

/** The words beneath an answer, from what became of it to the line of what can be done. */
function wordsBeneath(change: Partial<Message>, canAsk = true, runState: string | null = null): string {
  const quote = { max: 15, lines: [{ kind: 'message', max: 15, params: {} }] };
  const known = {
    id: 'm',
    timestamp: 0,
    response: '',
    error: null,
    finishReason: null,
    creditsUsed: 0,
    quote,
  };
  const message = { ...known, ...change } as unknown as Message;
  const html = renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <TranslationProvider language="zh" dictionary={zh}>
        <TurnContext value={{ canAsk, lastId: 'm', model: MODEL } as TurnActions}>
          <AnswerEnd message={message} hasOlder={false} />
          <TurnFooter
            message={message}
            modelTitle="Flash"
            versions={{ count: 1 } as never}
            runState={runState}
          />
        </TurnContext>
      </TranslationProvider>
    </QueryClientProvider>,
  );
  return html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
}

const times = (text: string, word: RegExp) => [...text.matchAll(word)].length;

test.each<[string, Partial<Message>]>([
  [zh.chat.sendFailed, { status: 'failed', error: { code: 'upstream_failed', message: '' } }],
  [zh.errors.upstream_empty, { status: 'failed', error: { code: 'upstream_empty', message: '' } }],
  [zh.chat.halfAnswer, { status: 'failed', response: '一半' }],
  [zh.errors.interrupted, { status: 'interrupted' }],
])('once it is said what happened, that it was free, and what to do: %s', (alert, change) => {
  const words = wordsBeneath(change);
  expect(words).toContain(alert);
  expect(times(words, /失败|中断|停在|没有给出/g)).toBe(1);
  expect(times(words, /没有扣 Credits/g)).toBe(1);
  expect(times(words, /重试 · 15 Credits/g)).toBe(1);
  expect(words).not.toContain('0 Credits');
  expect(wordsBeneath(change, false)).not.toContain('重试 ·');
});

test('a stopped answer says so in its line, with what was charged', () => {
  expect(wordsBeneath({ status: 'stopped', response: '一半', creditsUsed: 15 })).toContain(
    'Flash · 15 Credits · 已停止',
  );
  expect(wordsBeneath({ status: 'stopped' })).toContain('Flash · 0 Credits · 已停止');
});

test('while a browser is driven for it, the line of an answer says how that stands', () => {
  expect(wordsBeneath({ status: 'running' })).toContain(`Flash · ${zh.chat.statusRunning}`);
  const words = wordsBeneath({ status: 'running' }, true, '排队中，第 1 位');
  expect(words).toContain('Flash · 排队中，第 1 位');
  expect(words).not.toContain(zh.chat.statusRunning);
  const stopped = wordsBeneath({ status: 'stopped' }, true, '已暂停');
  expect(stopped).toContain(zh.chat.statusStopped);
  expect(stopped).not.toContain('已暂停');
});
