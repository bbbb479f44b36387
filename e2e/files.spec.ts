import {
  attach,
  attached,
  contract,
  fixture,
  noise,
  paste,
  photo,
  reserve,
  whenReady,
} from './attachments.ts';
import { expectAccessible, expectAccessibleInBothThemes } from './expect-accessible.ts';
import { long } from './long.ts';
import { journeysOnScreens } from './texts.ts';
import { BRIEFLY, expect, test, type Visitor } from './visitor.ts';

/** Chooses the cheapest model. */
async function chooseLite(me: Visitor): Promise<void> {
  await me.modelButton.first().click();
  await me.page
    .getByRole('menuitemradio', { name: /Flash-Lite.*8 Credits/ })
    .first()
    .click();
}

for (const { language, size, title } of journeysOnScreens('a photographed page is explained')) {
  test(
    title,
    long('another journey asks about a file, `pictures.spec.ts` looks at pictures'),
    async ({ visitor }) => {
      const me = visitor(language);
      const { page, say } = me;
      await page.setViewportSize(size);
      await me.signUp();
      const picture = await photo(page, 'page-3.jpg');
      await attach(me, picture);
      await expect(attached(me)).toContainText('page-3.jpg');
      await whenReady(me, 'page-3.jpg');
      await expect(attached(me)).toContainText(/\d KB/);
      await expectAccessible(page);
      await me.ask(language === 'zh' ? '这一页讲了什么？' : 'What is this page about?');
      await expect(attached(me)).toHaveCount(0);
      await me.rest();
      await expect(me.answer).toContainText('page-3.jpg');
      const thumbnail = me.turns.first().getByRole('button', { name: say('files.openPicture') });
      await expect(
        thumbnail.getByRole('img', { includeHidden: true }).or(thumbnail.locator('img')),
      ).toBeVisible();
      expect(await me.balance()).toBe(25);

      await thumbnail.click();
      const viewer = page.getByRole('dialog', { name: 'page-3.jpg' });
      const shown = viewer.getByRole('img', { name: 'page-3.jpg' });
      await expect(shown).toHaveJSProperty('naturalWidth', 700);
      const before = (await shown.boundingBox())?.width ?? 0;
      await expect(viewer).toContainText(say('files.zoomFit'));
      await viewer.getByRole('button', { name: say('files.zoomIn') }).click();
      await expect(viewer).toContainText('%');
      expect((await shown.boundingBox())?.width).toBeGreaterThan(before * 1.19);
      await expectAccessibleInBothThemes(page);
      await page.keyboard.press('Escape');
      await expect(viewer).toBeHidden();

      await page.reload();
      await expect(me.turns.first().getByRole('button', { name: say('files.openPicture') })).toBeVisible();
    },
  );
}

for (const { language, size, title } of journeysOnScreens(
  'a contract is asked three questions, and each turn shows its price',
)) {
  test(title, async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await page.setViewportSize(size);
    await me.signUp();
    await chooseLite(me);
    await attach(me, await contract(page, '采购合同.pdf'));
    await whenReady(me, '采购合同.pdf');
    const price = page.getByRole('button', { name: /Credits$/ }).and(page.locator('[aria-haspopup=dialog]'));
    await expect(price).toBeVisible();
    const max = Number(/\d+/.exec((await price.textContent()) ?? '')?.[0]);
    expect(max).toBeGreaterThan(8);
    await price.click();
    const lines = page.getByRole('dialog', { name: say('quote.title') });
    await expect(lines).toContainText(say('priceLine.files'));
    await expect(lines).toContainText('8 Credits');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    const questions =
      language === 'zh'
        ? ['验收要几天？', '质保多久？', '逾期怎么办？']
        : ['How long is acceptance?', 'What is the warranty?', 'What if it is late?'];
    for (const [place, question] of questions.entries()) {
      await expect(price).toContainText(String(max));
      await me.ask(`${BRIEFLY}${question}`);
      await expect(me.turns).toHaveCount(place + 1);
      await me.rest();
      expect(await me.balance()).toBe(40 - max * (place + 1));
      await expect(me.turns.last()).toContainText(`${max} Credits`);
    }
    const [first] = await me.stored();
    expect(first?.charged?.lines.map(({ kind }) => kind)).toEqual(['message', 'files']);
    await me.turns.last().hover();
    await me.turns
      .last()
      .getByRole('button', { name: say('chat.details') })
      .click();
    await expect(page.getByRole('dialog', { name: say('chat.details') })).toContainText(
      say('priceLine.files'),
    );

    await page.keyboard.press('Escape');
    await me.titleButton.click();
    await page.getByRole('menuitem', { name: say('files.ofConversation') }).click();
    const list = page.getByRole('dialog', { name: say('files.ofConversation') });
    await expect(list).toContainText('采购合同.pdf');
    await expectAccessibleInBothThemes(page);
    await list.getByText(say('files.noMore')).click();
    await expect(list.getByRole('radio', { name: say('files.noMore') })).toBeChecked();
    await list
      .getByRole('button', { name: say('dialog.close') })
      .first()
      .click();
    await expect(price).toBeHidden();

    // Meanwhile another tab has it read again: the price is asked for once more before anything is sent.
    const [part] = first?.inputParts?.filter(({ kind }) => kind === 'file') ?? [];
    const id = part && 'fileId' in part ? part.fileId : '';
    const changed = await page.request.put(`/api/files/${id}/every-turn`, { data: { everyTurn: true } });
    expect(changed.status()).toBe(200);
    await me.ask(`${BRIEFLY}?`);
    await expect(me.alerts.filter({ hasText: say('errors.quote_changed', { max }) })).toBeVisible();
    await expect(me.composer).toHaveValue(`${BRIEFLY}?`);
    await expect(price).toContainText(String(max));
    expect(await me.balance()).toBe(40 - max * 3);
    await me.composer.press('Enter');
    await expect(me.turns).toHaveCount(4);
    await me.rest();
    expect(await me.balance()).toBe(40 - max * 4);
  });
}

const TABLES = {
  zh: {
    book: '预算.xlsx',
    sheet: '价格.CSV',
    rows: '品名,价格\n"钢管, 5 寸",120\n',
    cells: ['品名', '价格', '钢管, 5 寸', '120'],
    question: '合计是多少？',
  },
  en: {
    book: 'Budget.xlsx',
    sheet: 'Prices.CSV',
    rows: 'Item,Price\n"Pipe, 5 in",120\n',
    cells: ['Item', 'Price', 'Pipe, 5 in', '120'],
    question: 'What is the total?',
  },
} as const;

for (const { language, size, title } of journeysOnScreens(
  'the tables of a spreadsheet and of a CSV are shown',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    const { book, sheet, rows, cells, question } = TABLES[language];
    await page.setViewportSize(size);
    await me.signUp();
    await attach(me, fixture('openpyxl.xlsx', book));
    await whenReady(me, book);
    await attach(me, { name: sheet, mimeType: 'text/csv', buffer: Buffer.from(rows) });
    await whenReady(me, sheet);
    await expect(attached(me).locator('.lucide-sheet')).toHaveCount(2);
    await me.ask(`${BRIEFLY}${question}`);
    await me.rest();
    await me.turns.first().getByRole('button', { name: book }).click();
    const viewer = page.getByRole('dialog', { name: book });
    await expect(viewer.getByRole('table').first()).toBeVisible();
    await expectAccessibleInBothThemes(page);
    const download = page.waitForEvent('download');
    await viewer.getByRole('link', { name: say('files.download') }).click();
    expect((await download).suggestedFilename()).toBe(book);

    await page.keyboard.press('Escape');
    await me.turns.first().getByRole('button', { name: sheet }).click();
    const narrow = page.getByRole('dialog', { name: sheet });
    const table = narrow.getByRole('table');
    await expect(table.getByRole('columnheader')).toHaveText(cells.slice(0, 2));
    await expect(table.getByRole('cell')).toHaveText(cells.slice(2));
    expect((await narrow.boundingBox())?.width).toBe(Math.min(size.width, 512));
  });
}

for (const { language, size, title } of journeysOnScreens(
  'a pasted picture is offered a model that can see it',
)) {
  test(title, long('`outgoing-files.dom.test.tsx` holds the same'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await page.setViewportSize(size);
    await page.route('**/api/catalogue', async (route) => {
      const response = await route.fetch();
      const catalogue = (await response.json()) as { models: { id: string; readsImages: boolean }[] };
      for (const model of catalogue.models) if (model.id === 'parley-flash') model.readsImages = false;
      await route.fulfill({ response, json: catalogue });
    });
    await me.signUp();
    await paste(me, { file: await photo(page, 'image.png') });
    await whenReady(me, 'image.png');
    await me.composer.fill(`${BRIEFLY}?`);
    const flash = me.ownModel('Flash');
    await expect(me.alerts.filter({ hasText: say('files.blind', { model: flash }) })).toBeVisible();
    await expect(me.sendButton).toBeDisabled();
    await expectAccessible(page);
    await page
      .locator('form')
      .getByRole('button', { name: /8 Credits/ })
      .first()
      .click();
    await expect(me.sendButton).toBeEnabled();
    await me.composer.press('Enter');
    await me.rest();
    expect((await me.stored())[0]?.inputParts?.some(({ kind }) => kind === 'image')).toBe(true);
  });
}

test(
  'an upload goes on by itself when the network is back, from where it was',
  long('cut networks are tried in a document'),
  async ({ visitor, context }) => {
    const me = visitor('zh');
    const { page, say } = me;
    await me.signUp();
    const offsets: number[] = [];
    let isCut = false;
    await page.route('**/api/files/*', async (route, request) => {
      if (request.method() !== 'PATCH') return route.fallback();
      offsets.push(Number(request.headers()['upload-offset']));
      if (offsets.length === 3 && !isCut) {
        isCut = true;
        await context.setOffline(true);
        return route.abort();
      }
      return route.fallback();
    });
    await me.composer.fill(`${BRIEFLY}这是什么？`);
    await attach(me, await noise('大图.png', 5));
    await expect(attached(me)).toContainText(say('files.lost'));
    await me.composer.fill(`${BRIEFLY}这是什么图？`);
    await context.setOffline(false);
    await me.composer.press('Enter');
    await expect(me.turns).toHaveCount(1, { timeout: 60_000 });
    await me.rest();
    expect(new Set(offsets).size).toBeGreaterThanOrEqual(offsets.length - 1);
    expect((await me.stored())[0]).toMatchObject({ content: `${BRIEFLY}这是什么图？` });
  },
);

test(
  'after a reload midway the same file goes on where it stopped, and the text is there',
  long('another journey goes most of the same way'),
  async ({ visitor }) => {
    const me = visitor('en');
    const { page, say } = me;
    await me.signUp();
    const file = await noise('large.png', 4);
    let pieces = 0;
    await page.route('**/api/files/*', async (route, request) => {
      if (request.method() !== 'PATCH') return route.fallback();
      pieces += 1;
      // The third piece never arrives.
      return pieces === 3 ? undefined : route.fallback();
    });
    await me.composer.fill('What is this?');
    await attach(me, file);
    await expect.poll(() => pieces).toBe(3);
    await page.reload();
    await expect(me.composer).toHaveValue('What is this?');
    await expect(attached(me)).toContainText(say('files.cut'));
    await expect(me.sendButton).toBeDisabled();
    await expectAccessible(page);
    await page.unroute('**/api/files/*');
    const offsets: number[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']));
    });
    await attach(me, file);
    await whenReady(me, 'large.png');
    expect(offsets[0]).toBe(2 * 1_048_576);
    await expect(attached(me)).toHaveCount(1);
    await page.reload();
    await whenReady(me, 'large.png');
  },
);

test(
  'what cannot be taken is said in words, and can be removed',
  long('refusals have tests on the server and in a document'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const { page, say } = me;
    await me.signUp();
    await attach(
      me,
      { name: '空.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
      {
        name: '程序.pdf',
        mimeType: 'application/pdf',
        buffer: Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3]),
      },
      fixture('encrypted.pdf', '加密.pdf'),
      { name: '太大.png', mimeType: 'image/png', buffer: Buffer.alloc(21 * 1_048_576) },
    );
    await expect(attached(me)).toHaveCount(4);
    await expect(attached(me).nth(0)).toContainText(say('files.isEmpty'));
    await expect(attached(me).nth(1)).toContainText(say('files.isUnsupported'));
    await expect(attached(me).nth(2)).toContainText(say('files.isEncrypted'));
    await expect(attached(me).nth(3)).toContainText(say('files.isTooLarge', { limit: 20 }));
    await me.composer.fill('你好');
    await expect(me.sendButton).toBeDisabled();
    await expect(me.alerts.filter({ hasText: say('files.removeFailed') })).toBeVisible();
    await expectAccessibleInBothThemes(page);
    for (const name of ['空.txt', '程序.pdf', '加密.pdf', '太大.png'])
      await page.getByRole('button', { name: say('files.remove', { name }) }).click();
    await expect(attached(me)).toHaveCount(0);
    await expect(me.sendButton).toBeEnabled();
    expect(await me.balance()).toBe(40);
  },
);

test(
  'a full storage is said before the upload, and the account shows it',
  long('its rules have tests on the server'),
  async ({ visitor }) => {
    const me = visitor('en');
    const { page, say } = me;
    await me.signUp();
    for (let n = 0; n < 5; n += 1) expect(await reserve(me, 20 * 1_048_576)).toBe(201);
    await attach(me, fixture('libreoffice.docx', 'letter.docx'));
    await expect(attached(me)).toContainText(say('errors.file_storage_full', { limit: 100 }));
    await page.goto('/profile/data');
    await expect(page.getByText(say('files.usageFull'))).toBeVisible();
    await expectAccessible(page);
  },
);

test(
  'a long paste becomes a file on request',
  long('a detail of the page that seldom breaks'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const { page, say } = me;
    await me.signUp();
    await me.composer.fill('请总结：');
    await me.composer.press('End');
    await paste(me, { text: '秋天的山里很安静。'.repeat(600) });
    await page.getByRole('button', { name: say('files.pastedAsFile') }).click();
    await whenReady(me, say('files.pastedName'));
    await expect(me.composer).toHaveValue('请总结：');
  },
);

test(
  'a message with a file waits for the answer before it',
  long('`queue.spec.ts` has messages that wait'),
  async ({ visitor }) => {
    const me = visitor('zh');
    await me.signUp();
    await me.ask('/emulate never-ends 一');
    await expect(me.answer).toHaveText(/\S/);
    await attach(me, fixture('python-docx.docx', '信.docx'));
    await whenReady(me, '信.docx');
    await me.composer.fill(`${BRIEFLY}写了什么？`);
    await me.composer.press('Enter');
    const waiting = me.page.getByRole('region', { name: me.say('chat.queued') });
    await expect(waiting).toContainText('信.docx');
    await expect(attached(me)).toHaveCount(0);
    await me.stopButton.click();
    const price = new RegExp(me.say('chat.sendFor', { cost: '\\d+' }));
    await waiting.getByRole('button', { name: price }).click();
    await expect(me.turns).toHaveCount(2);
    await me.rest();
    expect((await me.stored())[1]?.inputParts?.some(({ kind }) => kind === 'file')).toBe(true);
  },
);
