import { readFileSync } from 'node:fs';
import { lineOf, siblingsOf } from '#test/chat/conversation-tree.ts';
import { plantSearchable } from '#test/chat/searchable-tree.ts';
import { WAIT_TIMEOUT_MS } from '#test/patient.ts';
import { long } from './long.ts';
import { BRIEFLY, expect, test, type Visitor } from './visitor.ts';

/** Planting takes most of a minute. */
const PLANTING_MS = 10 * WAIT_TIMEOUT_MS;
/** In no other text. */
const NEEDLE = 'whalefall';

/** Finds the needle by the search of the page, and is led to its message. */
async function jump({ page, say, turns }: Visitor): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: say('chat.searchLabel') }).fill(NEEDLE);
  await page.getByRole('option').filter({ hasText: NEEDLE }).first().click();
  const found = turns.filter({ hasText: NEEDLE });
  await expect(found).toBeFocused();
  await expect(found).toBeInViewport();
}

async function download({ page, say, titleButton }: Visitor, key: string): Promise<string> {
  await titleButton.click();
  const coming = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: say(key) }).click();
  return readFileSync(await (await coming).path(), 'utf8');
}

/** Asks the question of the needle's turn in other words. */
async function edit({ page, say, turns }: Visitor, words: string): Promise<void> {
  const turn = turns.filter({ hasText: NEEDLE });
  await turn.getByRole('button', { name: say('chat.editPrompt'), exact: true }).click();
  await page.getByRole('textbox', { name: say('chat.editPrompt') }).fill(BRIEFLY + words);
  await page.keyboard.press('Enter');
  await expect(turns.last()).toContainText(words);
}

test(
  'an early message is jumped to, what follows comes on the way down, and a question goes to the end',
  long('a chat of thousands is for a release'),
  async ({ visitor }) => {
    const me = visitor('zh');
    await me.signUp();
    const { conversationId, ids } = await plantSearchable(me.email, lineOf(400), { [NEEDLE]: 99 });
    await me.page.goto(`/zh/chat/${conversationId}`);
    await expect(me.turns.last()).toContainText('n400');
    await jump(me);
    await expect(me.turns.filter({ hasText: 'n400' })).toHaveCount(0);
    const found = me.turns.filter({ hasText: NEEDLE });
    await me.turns.filter({ hasText: 'n125' }).scrollIntoViewIfNeeded();
    await expect(me.turns.filter({ hasText: 'n170' })).toBeAttached();
    await expect(found).toBeAttached();
    await expect(me.turns.filter({ hasText: 'n400' })).toHaveCount(0);
    await me.ask(`${BRIEFLY}还在吗？`);
    await me.rest();
    await expect(me.turns.last()).toBeInViewport();
    await expect(me.page.locator(`[data-message="${ids.at(-1)}"]`)).toBeAttached();
    expect((await me.stored()).at(-1)?.parentId).toBe(ids.at(-1));
  },
);

test(
  'a conversation of 20,000 messages is opened, searched, exported and edited',
  long('planting takes most of a minute'),
  async ({ visitor }) => {
    test.setTimeout(PLANTING_MS);
    const me = visitor('zh');
    await me.signUp();
    const { conversationId } = await plantSearchable(me.email, lineOf(20_000), { [NEEDLE]: 299 });
    await me.page.goto(`/zh/chat/${conversationId}`);
    await expect(me.turns.last()).toContainText('n20000');
    await jump(me);
    await expect(me.turns.filter({ hasText: 'n310' })).toBeAttached();
    await me.page.getByRole('button', { name: me.say('chat.toLatest') }).click();
    await expect(me.turns.last()).toContainText('n20000');
    await expect(me.turns.last()).toBeInViewport();
    await jump(me);
    const markdown = await download(me, 'chat.exportMarkdown');
    expect(markdown.match(/^.*\bn\d+\b/gm)?.length).toBeGreaterThanOrEqual(20_000);
    const json = JSON.parse(await download(me, 'chat.exportJson')) as { messages: unknown[] };
    expect(json.messages).toHaveLength(20_000);
    await edit(me, 'other words');
    await me.rest();
    await expect(me.turns.last()).toContainText('2/2');
  },
);

test(
  'a question with 3,000 versions is opened, searched, exported and edited',
  long('planting takes most of a minute'),
  async ({ visitor }) => {
    test.setTimeout(PLANTING_MS);
    const me = visitor('en');
    await me.signUp();
    const { conversationId } = await plantSearchable(me.email, siblingsOf(3_000), { [NEEDLE]: 1_500 });
    await me.page.goto(`/en/chat/${conversationId}`);
    await expect(me.turns.last()).toContainText('n3001');
    await expect(me.turns).toHaveCount(2);
    await me.turns
      .last()
      .getByRole('button', { name: me.say('chat.versionOlder'), exact: true })
      .click();
    await expect(me.turns.last()).toContainText('n3000');
    await expect(me.turns.last()).toContainText('2,999/3,000');
    await jump(me);
    await expect(me.turns).toHaveCount(2);
    await expect(me.turns.last()).toContainText('1,500/3,000');
    const json = JSON.parse(await download(me, 'chat.exportJson')) as { messages: unknown[] };
    expect(json.messages).toHaveLength(3_001);
    await edit(me, 'other words');
    await me.rest();
    await expect(me.turns).toHaveCount(2);
  },
);
