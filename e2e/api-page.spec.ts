import OpenAI from 'openai';
import type { Enrolment, RecoveryCodes } from '#contract/accounts/second-factor.ts';
import { codeOf } from '#test/accounts/second-factor.ts';
import { expectAccessible } from './expect-accessible.ts';
import { long } from './long.ts';
import { readMail } from './mailbox.ts';
import { journeys, variants } from './texts.ts';
import { expect, test } from './visitor.ts';

for (const { language, title } of journeys(
  'a key is made, seen once, used by OpenAI’s client, and revoked',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor, baseURL }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.signUp('api');
    await page.getByRole('button', { name: say('keys.create') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: say('keys.create') }).click();
    await expect(dialog.getByRole('alert')).toHaveText(say('keys.nameWrong'));
    await dialog.getByLabel(say('keys.name')).fill('Night job');
    await dialog.getByLabel(say('keys.monthlyCap')).fill('100');
    await dialog.getByRole('button', { name: say('keys.create') }).click();
    const key = (await dialog.getByText(/^sk-/).textContent()) ?? '';
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await expect(page.getByText(key)).toBeVisible();
    await page.getByRole('button', { name: say('keys.madeDone') }).click();
    await expect(page.getByText(key)).toBeHidden();
    await expect(page.getByRole('heading', { name: 'Night job' })).toBeVisible();

    const client = new OpenAI({ baseURL: `${baseURL}/v1`, apiKey: key });
    const messages = [{ role: 'user' as const, content: 'Hello' }];
    await client.chat.completions.create({ model: 'parley-flash', messages });
    await page.reload();
    const usage = page.getByRole('region', { name: say('keys.usage.table') });
    await expect(usage.getByRole('row').last()).toContainText('Night job');
    await expect(usage.getByRole('row').last()).toContainText('15');

    await page.getByRole('button', { name: say('keys.revokeNamed', { name: 'Night job' }) }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: say('keys.revoke'), exact: true })
      .click();
    await expect(page.getByText(say('keys.none'))).toBeVisible();
    await expect(client.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
  });
}

test(
  'where the last proof is old, a key is made after another one, and not when the reader turns back',
  long('`account.spec.ts` asks for a proof as well'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const { say, page } = me;
    await me.openAccount();
    const enrolment = await page.request.post('/api/me/second-factor/enrolment');
    const { secret } = (await enrolment.json()) as Enrolment;
    const data = { code: codeOf(secret, Date.now()) };
    const enrolled = await page.request.post('/api/me/second-factor', { data });
    const { recoveryCodes } = (await enrolled.json()) as RecoveryCodes;
    // Refused as it would be ten minutes after the last proof.
    const error = { code: 'confirmation_required', message: '', params: {} };
    await page.route('/api/keys', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 403, json: { error } })
        : route.continue(),
    );

    await page.goto('/zh/api');
    await page.getByRole('button', { name: say('keys.create') }).click();
    const form = page.getByRole('dialog', { name: say('keys.createTitle') });
    await form.getByLabel(say('keys.name')).fill('Night job');
    const create = form.getByRole('button', { name: say('keys.create') });
    await create.click();
    const proof = page.getByRole('dialog', { name: say('confirmation.title') });
    await expect(proof.getByLabel(say('secondStep.code'), { exact: true })).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(proof).toBeHidden();
    await expect(form.getByRole('alert')).toHaveCount(0);
    await create.click();
    await proof.getByRole('button', { name: say('secondStep.useRecovery') }).click();
    await proof.getByLabel(say('secondStep.recoveryCode'), { exact: true }).fill(recoveryCodes[0] ?? '');
    await page.unroute('/api/keys');
    await proof.getByRole('button', { name: say('confirmation.submit') }).click();
    await expect(page.getByRole('heading', { name: say('keys.madeTitle') })).toBeVisible();
    const mail = await readMail(me.email, say('mail.apiKeyCreated.subject'));
    expect(mail.text).toContain('sk-');
  },
);

test(
  'the builder says what a request costs, runs it, and tells what was charged',
  long('its rules have tests on the server'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const { page, say } = me;
    await me.signUp('api');
    await page.getByLabel(say('api.model')).selectOption('gemini-2.5-flash-lite');
    await expect(page.getByText(say('api.runCost', { cost: 8, credits: 40 }))).toBeVisible();
    await page.getByLabel(say('api.prompt')).fill('你好');
    await page.getByRole('button', { name: say('api.run'), exact: true }).click();
    const answer = page.getByRole('region', { name: say('api.answer'), exact: true });
    await expect(answer.getByRole('status')).toContainText('8 Credits');
    await expect(page.getByText(say('api.runCost', { cost: 8, credits: 32 }))).toBeVisible();
    await expect(page.getByRole('region', { name: say('keys.usage.table') })).toContainText(
      say('keys.usage.ownPage'),
    );
  },
);

test(
  'a visitor sees how to begin, for this very server, and the way in',
  long('a detail of the page that seldom breaks'),
  async ({ page, baseURL }) => {
    await page.goto('/en/api');
    await expect(page.getByText(`curl ${baseURL}/v1/chat/completions`)).toBeVisible();
    await page.getByRole('radio', { name: 'Python' }).check();
    await expect(page.getByText('from openai import OpenAI')).toBeVisible();
    await expect(page.getByRole('main').getByRole('link', { name: 'Log in' })).toBeVisible();
    await expect(page.getByRole('row', { name: /^parley-flash/ })).toContainText('15');
    const index = page.getByRole('navigation', { name: 'On this page' });
    await index.getByRole('link', { name: 'Streaming' }).click();
    await expect(page.getByRole('heading', { name: 'Streaming' })).toBeInViewport();
    await expect(index.locator('[aria-current]')).toHaveText('Streaming');
    await page.goto('/en/models');
    await page.getByRole('main').getByRole('link', { name: 'API' }).click();
    await expect(page.getByRole('heading', { name: 'Errors' })).toBeVisible();
  },
);

for (const colorScheme of variants(['light', 'dark'] as const, 1)) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test(
      'keys, builder and dialogs have no violation',
      long('a page that seldom changes'),
      async ({ visitor }) => {
        const me = visitor('en');
        const { page, say } = me;
        await me.signUp('api');
        await expect(page.getByRole('button', { name: say('keys.create') })).toBeVisible();
        await expectAccessible(page);
        await page.setViewportSize({ width: 390, height: 844 });
        await page.getByRole('button', { name: say('keys.create') }).click();
        await page.getByRole('dialog').getByLabel(say('keys.everyModel')).uncheck();
        await expectAccessible(page);
      },
    );
  });
}
