import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Message } from '#contract/chat.ts';
import type { TablePart } from '#contract/message/parts.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { all, closePage, draw, find, openPage } from '#test/dom/page.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { createTranslate } from '#web/lib/translate.ts';
import { PageTables } from './page-tables.tsx';

const MESSAGE = { id: 'run', conversationId: 'talk' } as Message;
const HOSTILE = '=1+1<img src=x onerror=alert(1)>';
const PRICES: TablePart = {
  ...{ kind: 'table', n: 1, title: '价目表', url: 'http://shop.test/prices', hasHead: true, isCut: false },
  rows: [
    ['名称', '价格'],
    ['西湖龙井', '¥168'],
    [HOSTILE, '¥1'],
  ],
};
const OTHER: TablePart = {
  ...{ kind: 'table', n: 2, title: '', url: '', hasHead: false, isCut: true },
  rows: [
    ['1', '2', '3'],
    ['4', '5', '6'],
  ],
};

let server: Server;
let client: QueryClient;
let asked: unknown[];
beforeEach(async () => {
  asked = [];
  server = createServer(async (request, response) => {
    if (request.method === 'POST') asked.push([request.url, JSON.parse(await readText(request))]);
    const kept = { key: 'table:1', file: { id: 'file', name: '价目表.csv' } };
    const answer = request.method === 'POST' ? kept : { kept: [] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  openPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  client = new QueryClient();
});
afterEach(async () => {
  await vi.waitFor(() => expect(client.isFetching()).toBe(0));
  vi.restoreAllMocks();
  closePage();
  client.clear();
  server.closeAllConnections();
  server.close();
});

function show(language: 'zh' | 'en') {
  const element = <PageTables message={MESSAGE} tables={[PRICES, OTHER]} />;
  const router = createMemoryRouter([{ path: '/', element }]);
  draw(
    <QueryClientProvider client={client}>
      <TranslationProvider language={language} dictionary={language === 'zh' ? zh : en}>
        <RouterProvider router={router} />
      </TranslationProvider>
    </QueryClientProvider>,
  );
}

/** Opens a table, as a press of its summary does. */
async function open(name: string) {
  const details = (await find('summary', name)).closest('details');
  if (!details) throw new Error('nothing folds it');
  details.open = true;
  details.dispatchEvent(new Event('toggle'));
}

test.each([
  ['zh', '页面里的表格', '价目表2 行 × 2 列', '表格 22 行 × 3 列 · 只有一部分'],
  ['en', 'Tables from the page', '价目表2 rows × 2 columns', 'Table 22 rows × 3 columns · only part of it'],
] as const)(
  'tables of a page are listed with their size, folded, in %s',
  async (language, title, first, second) => {
    show(language);
    await find('[role="group"]', title);
    expect(all('summary').map(({ textContent }) => textContent)).toEqual([first, second]);
    expect(all('table')).toEqual([]);
  },
);

test.each([
  ['zh', zh],
  ['en', en],
] as const)('an open table is text, downloaded without a formula, in %s', async (language, dictionary) => {
  show(language);
  await open('价目表');
  const table = await find('table', '价目表');
  expect([...table.querySelectorAll('th')].map(({ textContent }) => textContent)).toEqual(['名称', '价格']);
  expect([...table.querySelectorAll('td')].map(({ textContent }) => textContent)).toEqual([
    ...['西湖龙井', '¥168'],
    ...[HOSTILE, '¥1'],
  ]);
  expect(document.querySelector('img')).toBeNull();
  const made = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:a');
  const pressed = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  const t = createTranslate(language, dictionary);
  (await find('button', t('computer.tables.downloadOf', { name: '价目表.csv' }))).click();
  const blob = made.mock.calls[0]?.[0] as Blob;
  expect(Buffer.from(await blob.arrayBuffer()).toString()).toBe(
    `\uFEFF名称,价格\r\n西湖龙井,¥168\r\n'${HOSTILE},¥1\r\n`,
  );
  expect((pressed.mock.contexts[0] as HTMLAnchorElement).download).toBe('价目表.csv');
});

test('a table is kept as a file by its number, and can be viewed then', async () => {
  show('zh');
  await open('价目表');
  const t = createTranslate('zh', zh);
  (await find('button', t('computer.keep.fileOf', { name: '价目表.csv' }))).click();
  await find('button', t('computer.keep.viewOf', { name: '价目表.csv' }));
  expect(asked).toEqual([['/api/messages/run/kept', { what: 'table', n: 1 }]]);
});
