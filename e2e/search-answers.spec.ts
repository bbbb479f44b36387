import type { Locator } from '@playwright/test';
import { expectAccessible, expectAccessibleInBothThemes } from './expect-accessible.ts';
import { journeys } from './texts.ts';
import { expect, test, type Visitor } from './visitor.ts';

/** Chooses whether the web is searched. */
async function choose({ page, say }: Visitor, mode: 'off' | 'auto' | 'always'): Promise<void> {
  await page.getByRole('button', { name: say('files.add') }).click();
  await page.getByRole('menuitemradio', { name: new RegExp(`^${say(`webSearch.${mode}`)}`) }).click();
}

function sources({ page, say }: Visitor): Locator {
  return page.getByRole('region', { name: say('sources.title') });
}

/** Where each paragraph of the newest answer stands, and how tall it is. */
function places(me: Visitor): Promise<number[]> {
  return me.answer.evaluate((answer) => {
    const top = answer.getBoundingClientRect().top;
    return [...answer.querySelectorAll('p, li, h3')].flatMap((one) => {
      const { bottom, height } = one.getBoundingClientRect();
      return [Math.round(bottom - top), Math.round(height)];
    });
  });
}

for (const size of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]) {
  for (const { language, title } of journeys(
    `an answer names the pages behind its sentences, ${size.width} px wide`,
  )) {
    test(title, async ({ visitor }) => {
      const me = visitor(language);
      const { page, say } = me;
      await page.setViewportSize(size);
      await me.signUp();
      await choose(me, 'always');
      await expect(page.getByRole('button', { name: say('webSearch.stop') })).toBeVisible();
      const price = page.locator('form [aria-haspopup=dialog]');
      await expect(price).toContainText('30 Credits');
      await price.click();
      const lines = page.getByRole('dialog', { name: say('quote.title') });
      await expect(lines).toContainText(say('priceLine.search'));
      await expectAccessible(page);
      await page.keyboard.press('Escape');

      await me.ask(
        `/emulate sources ${language === 'zh' ? '写一首关于秋天的短诗' : 'Write a short poem about autumn'}`,
      );
      await expect(me.answer).toHaveText(/\S{5}/);
      await me.rest();
      await expect(sources(me).getByRole('listitem')).toHaveCount(3);
      await expect(sources(me).getByRole('link').first()).toHaveAttribute('rel', /noreferrer/);
      await expect(sources(me)).toContainText('xn--');
      // Two queries ran: 15 + 2 × 3.
      expect(await me.balance()).toBe(19);
      const marks = me.answer.getByRole('button', {
        name: new RegExp(`^${say('sources.mark', { numbers: '' })}`),
      });
      expect(await marks.count()).toBeGreaterThan(0);
      const withMarks = await places(me);
      await me.answer.evaluate((answer) => {
        for (const mark of answer.querySelectorAll('.source-mark')) mark.remove();
      });
      expect(await places(me)).toEqual(withMarks);

      await page.reload();
      await marks.first().click();
      const card = page.getByRole('dialog', { name: new RegExp(say('sources.mark', { numbers: '' })) });
      await expect(card.getByRole('link').first()).toBeVisible();
      await expectAccessibleInBothThemes(page);
      await page.keyboard.press('Escape');
      await me.turns.last().hover();
      await me.turns
        .last()
        .getByRole('button', { name: say('chat.details') })
        .click();
      await expect(page.getByRole('dialog', { name: say('chat.details') })).toContainText(
        say('quote.chargedOf', { credits: 6, max: 15 }),
      );
      await page.keyboard.press('Escape');
      // 19 Credits are too few for 30: the way on is offered.
      await expect(
        me.alerts.filter({ hasText: say('quote.tooDear', { max: 30, credits: 19 }) }),
      ).toBeVisible();
      await expect(me.sendButton).toBeDisabled();
      await page
        .getByRole('button', { name: say('webSearch.stop'), exact: true })
        .last()
        .click();
      await expect(price).toBeHidden();
    });
  }
}

test('pages that attack the reader are text, and their real host is shown', async ({ visitor }) => {
  const me = visitor('zh');
  const { page } = me;
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await me.signUp();
  await choose(me, 'auto');
  await expect(page.locator('form [aria-haspopup=dialog]')).toContainText('30 Credits');
  await me.ask('/emulate sources hostile=true 写一首关于秋天的短诗');
  await me.rest();
  await expect(sources(me).getByRole('listitem')).toHaveCount(3);
  await expect(sources(me).getByRole('link')).toHaveCount(1);
  await expect(sources(me)).toContainText('<img src=x onerror=alert(1)>');
  await expect(sources(me)).toContainText('xn--pple-43d.example');
  expect(await sources(me).textContent()).not.toContain('\u202E');
  for (const mark of await me.answer.locator('.source-mark button').all()) {
    await mark.click();
    await page.keyboard.press('Escape');
  }
  expect(dialogs).toEqual([]);
  await expectAccessible(page);
});

test('code that ran and what it printed are folded where they belong', async ({ visitor }) => {
  const me = visitor('en');
  const { page, say } = me;
  await me.signUp();
  await me.ask('/emulate code-run Add the squares');
  await me.rest();
  for (const live of [true, false]) {
    if (!live) await page.reload();
    const code = me.turns.last().getByText(say('answer.ranCode'), { exact: true });
    await expect(code).toBeVisible();
    await code.click();
    await expect(me.turns.last()).toContainText('total = sum');
    await me.turns.last().getByText(say('answer.output'), { exact: true }).click();
    await expect(me.turns.last().locator('.code-run').last()).toContainText('385');
  }
  await expectAccessibleInBothThemes(page);
});

test('thinking can be followed, and folds when the answer begins', async ({ visitor }) => {
  const me = visitor('en');
  const { page, say } = me;
  await me.signUp();
  await me.ask('/emulate reasoning Say something about autumn');
  const thinking = me.turns.last().getByText(say('answer.reasoning'), { exact: false }).first();
  await expect(thinking).toBeVisible();
  await me.rest();
  const fold = me.turns.last().locator('details');
  await expect(fold).toHaveCount(1);
  await expect(fold).not.toHaveAttribute('open');
  await page.reload();
  await expect(fold).not.toHaveAttribute('open');
  await fold.locator('summary').click();
  await expect(fold).toHaveAttribute('open');
  await expect(fold.locator('p')).toHaveText(/\S/);
  await expectAccessible(page);
});
