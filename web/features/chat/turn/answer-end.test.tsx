import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message } from '#contract/chat.ts';
import type { AnswerPart } from '#contract/message/parts.ts';
import type { Quote, SendOptions } from '#contract/message/quotes.ts';
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { extrasToGoOn } from '../quote/extra-cost.ts';
import { QUOTES_KEY } from '../quote/use-quote.ts';
import { AnswerEnd } from './answer-end.tsx';
import { type TurnActions, TurnContext } from './turn-actions.ts';

const MODEL = {
  id: 'parley-flash',
  cost: 15,
  efforts: ['low'],
  tools: { search: true, code: true, addresses: true },
  pictures: null,
} as unknown as CatalogueModel;

function ended(change: Partial<Message>): Message {
  const quote = { max: 15, lines: [{ kind: 'message', max: 15, params: {} }] };
  const known = { id: 'm', conversationId: 'c', status: 'completed', finishReason: 'stop', quote };
  return { ...known, creditsUsed: 15, charged: { total: 15, lines: [] }, ...change } as unknown as Message;
}

/** What is said beneath an answer, with what can be done there and the server's prices by what is asked for. */
function draw(message: Message, actions: Partial<TurnActions> = {}, prices: [object, Quote][] = []): string {
  const client = new QueryClient();
  for (const [wanted, quote] of prices) client.setQueryData([...QUOTES_KEY, JSON.stringify(wanted)], quote);
  const able = { canAsk: true, lastId: 'm', isAsked: false, model: MODEL, ...actions } as TurnActions;
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <TranslationProvider language="zh" dictionary={zh}>
        <TurnContext value={able}>
          <AnswerEnd message={message} hasOlder={false} />
        </TurnContext>
      </TranslationProvider>
    </QueryClientProvider>,
  );
}

function sources(queries: string[], count: number): AnswerPart {
  const pages = Array.from({ length: count }, () => ({ url: 'https://a.example/', title: 'A' }));
  return { kind: 'sources', sources: pages, supports: [], queries };
}

test('an answer that was to be searched for and was not says so', () => {
  const says = (change: Partial<Message>) => draw(ended(change)).includes(zh.sources.notSearched);
  const always = { search: 'always' } as const;
  expect(says({ options: always })).toBe(true);
  expect(says({ options: always, parts: [sources([], 0)] })).toBe(true);
  expect(says({ options: always, parts: [sources(['q'], 0)] })).toBe(false);
  expect(says({ options: always, parts: [sources([], 1)] })).toBe(false);
  const charged = { total: 18, lines: [{ kind: 'search', credits: 3 }] } as Message['charged'];
  expect(says({ options: always, charged })).toBe(false);
  expect(says({ options: { search: 'auto' } })).toBe(false);
  expect(says({})).toBe(false);
  for (const status of ['running', 'stopped'] as const) expect(says({ options: always, status })).toBe(false);
});

const CUT = { finishReason: 'length' } as const;
const asked = (options?: SendOptions) => ({
  conversationId: 'c',
  parentId: 'm',
  model: 'parley-flash',
  ...(options ? { options } : {}),
});
const line = (kind: Quote['lines'][number]['kind'], max: number) => ({ kind, max, params: {} });

test('going on costs what the server says of the same search', () => {
  const options = { search: 'auto', code: true, effort: 'low' } as const;
  const quote = { max: 30, lines: [line('message', 15), line('search', 15)] };
  expect(extrasToGoOn(ended({ options }), MODEL)).toEqual({ options });
  const html = draw(ended({ ...CUT, options }), {}, [[asked(options), quote]]);
  expect(html).toContain('继续 · 最多 30\u00a0Credits');
  expect(draw(ended({ ...CUT, options }))).toContain(zh.quote.pending);
});

test('going on costs what the server says where files are read again, and else what the model does', () => {
  const quote = { max: 19, lines: [line('message', 15), line('files', 4)] };
  const prices: [object, Quote][] = [[asked(), quote]];
  expect(draw(ended(CUT), { isAsked: true }, prices)).toContain('继续 · 19\u00a0Credits');
  expect(draw(ended(CUT), {}, prices)).toContain('继续 · 15\u00a0Credits');
  expect(draw(ended({ ...CUT, options: { code: true } }))).toContain('继续 · 15\u00a0Credits');
});

test('what a model in use cannot do is not asked of it when it goes on', () => {
  const plain = { ...MODEL, efforts: [], tools: { search: false, code: false, addresses: false } };
  const message = ended({ ...CUT, options: { search: 'always', code: true, effort: 'low' } });
  expect(extrasToGoOn(message, plain)).toEqual({});
  expect(draw(message, { model: plain })).toContain('继续 · 15\u00a0Credits');
});

test('going on is offered under the last answer alone, where something can be asked', () => {
  for (const actions of [{ lastId: 'other' }, { canAsk: false }, { model: { ...MODEL, cost: null } }])
    expect(draw(ended(CUT), actions)).not.toContain('<button');
  expect(draw(ended({}))).not.toContain('<button');
});
