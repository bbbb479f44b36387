import { randomUUID } from 'node:crypto';
import type { UserRecord } from '#contract/accounts.ts';
import { codeOf } from '#test/accounts/second-factor.ts';
import { another, becomeOperator, findUser, growOld, openConsole, openScreen, runAdmin } from './console.ts';
import { expectAccessible, expectAccessibleInBothThemes } from './expect-accessible.ts';
import { long } from './long.ts';
import { buy } from './purchase.ts';
import { journeys } from './texts.ts';
import { BRIEFLY, expect, test, type Visitor } from './visitor.ts';

const STEP_MS = 30_000;
const FREE = 40;
/** More than one operator gives alone. */
const LARGE = 20_000;

/** Fills the dialog that gives credits, and waits for what it shows. */
async function fillGrant({ page, say }: Visitor, credits: number, reason: string): Promise<void> {
  await page.getByRole('button', { name: say('admin.act.grant.button') }).click();
  const dialog = page.getByRole('dialog', { name: say('admin.act.grant.title') });
  await expect(dialog.getByLabel(say('admin.acts.creditsGiven'))).toBeFocused();
  await dialog.getByLabel(say('admin.acts.creditsGiven')).fill(String(credits));
  await expect(dialog.getByText((FREE + credits).toLocaleString('en-US'))).toBeVisible();
  await dialog.getByLabel(say('admin.acts.reason')).fill(reason);
}

async function balanceOf({ page }: Visitor): Promise<number> {
  return ((await (await page.request.get('/api/me')).json()) as UserRecord).credits;
}

for (const { language, title } of journeys(
  'an operator gives credits with a reason, a proof and a preview, once, and finds it in the audit log',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor, browser }) => {
    const me = visitor(language);
    const { page, say } = me;
    const customer = await another(browser, language);
    await customer.openAccount();
    const secret = await openConsole(me);
    await expectAccessible(page);
    await findUser(me, customer.email);
    await expectAccessibleInBothThemes(page);

    await fillGrant(me, 500, '');
    const dialog = page.getByRole('dialog', { name: say('admin.act.grant.title') });
    const submit = dialog.getByRole('button', { name: say('admin.act.grant.do'), exact: true });
    await submit.click();
    await expect(dialog.getByLabel(say('admin.acts.reason'))).toBeFocused();
    await expect(dialog.getByRole('alert')).toHaveText(say('admin.acts.reasonMissing'));
    await dialog.getByLabel(say('admin.acts.reason')).fill('goodwill');
    await expectAccessibleInBothThemes(page);

    await growOld(me);
    await submit.dblclick();
    const proof = page.getByRole('dialog', { name: say('confirmation.title') });
    await proof
      .getByLabel(say('secondStep.code'), { exact: true })
      .fill(codeOf(secret, Date.now() + STEP_MS));
    // The act is carried out, and its answer is lost.
    await page.route(
      '/api/admin/acts',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('alert')).toHaveText(say('admin.acts.unsure'));
    await expect(submit).toBeFocused();
    expect(await balanceOf(customer)).toBe(FREE + 500);

    await page.reload();
    await expect(dialog.getByLabel(say('admin.acts.creditsGiven'))).toHaveValue('500');
    await expect(dialog.getByLabel(say('admin.acts.reason'))).toHaveValue('goodwill');
    await submit.dblclick();
    await expect(dialog.getByText(say('admin.acts.outcome.done'))).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('cell', { name: '+500', exact: true })).toHaveCount(1);
    expect(await balanceOf(customer)).toBe(FREE + 500);

    await page.getByRole('link', { name: say('admin.user.wholeAudit') }).click();
    const line = page.getByRole('row').filter({ hasText: 'goodwill' });
    await expect(line).toHaveCount(1);
    await expect(line).toContainText(me.email);
    await expect(line).toContainText(customer.email);
    await expectAccessibleInBothThemes(page);
    await customer.page.context().close();
  });
}

for (const { language, title } of journeys(
  'an operator reads what answers earned, goes from signs of abuse to a user, and back to the product',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor, browser }) => {
    const me = visitor(language);
    const { page, say } = me;
    const customer = await another(browser, language);
    await customer.signUp();
    await customer.ask(`${BRIEFLY}hello`);
    await customer.rest();
    await customer.page.context().close();
    await openConsole(me);

    await openScreen(me, 'margin');
    const models = page.getByRole('table', { name: say('admin.margin.byModel') });
    await expect(models.getByRole('row').filter({ hasText: /(对谈|Parley) Flash/ })).toHaveCount(1);
    await expectAccessibleInBothThemes(page);
    const days = page.getByLabel(say('admin.margin.days'), { exact: true });
    await days.selectOption('1');
    const csv = page.getByRole('link', { name: say('admin.margin.csv') });
    await expect(csv).toHaveAttribute('href', '/api/admin/margin.csv?days=1');
    await days.selectOption('custom');
    const from = page.getByLabel(say('admin.margin.from'), { exact: true });
    await from.fill('2020-02-02');
    await page.getByLabel(say('admin.margin.to'), { exact: true }).fill('2020-02-01');
    await from.press('Enter');
    await expect(page.getByRole('alert')).toHaveText(say('admin.margin.wrongDays'));
    await from.fill('2020-02-01');
    await from.press('Enter');
    await expect(csv).toHaveAttribute('href', '/api/admin/margin.csv?from=2020-02-01&to=2020-02-01');
    await expect(page.getByText(say('admin.margin.none'))).toHaveCount(3);

    await openScreen(me, 'abuse');
    const domain = page
      .getByRole('table', { name: say('admin.abuse.domains') })
      .getByRole('row')
      .filter({ hasText: 'example.com' });
    await expect(domain).toHaveCount(1);
    await expectAccessibleInBothThemes(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    const newest = domain.getByRole('link');
    const email = (await newest.textContent()) ?? '';
    await newest.click();
    await expect(page.getByRole('heading', { level: 1, name: email })).toBeVisible();
    await expect(page.getByRole('heading', { name: say('admin.user.buckets') })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);

    await page.goto(`/admin/users/${randomUUID()}`);
    await expect(page.getByRole('alert')).toHaveText(say('admin.notFound'));
    await expect(page.getByRole('button', { name: say('admin.retry') })).toHaveCount(0);
    const brand = language === 'zh' ? '对谈' : 'Parley';
    await page.getByRole('link', { name: say('admin.back', { brand }) }).click();
    await expect(page).toHaveURL(`/${language}/chat`);
  });
}

for (const { language, title } of journeys('who is no operator finds no console, and loads nothing of it')) {
  test(title, async ({ visitor }) => {
    const me = visitor(language);
    const { page } = me;
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    for (const path of ['/admin', '/admin/users/someone']) {
      await page.goto(path);
      await expect(page).toHaveURL('/zh');
    }
    await me.openAccount();
    await page.goto('/admin/audit');
    await expect(page).toHaveURL('/zh');
    expect(loaded.filter((path) => /\/(console|admin)-[\w-]+\.js$/.test(path))).toEqual([]);
  });
}

for (const { language, title } of journeys(
  'an operator without two-step verification is led to turn it on, and sees nothing before',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await becomeOperator(me);
    await page.goto(`/admin/users?lang=${language}`);
    await expect(page.getByRole('heading', { name: say('admin.secondFactor.title') })).toBeVisible();
    await expect(page.getByRole('navigation')).toHaveCount(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: say('admin.secondFactor.turnOn') }).click();
    await expect(page.getByRole('button', { name: say('twoFactor.turnOn') })).toBeVisible();
  });
}

for (const { language, title } of journeys('a large act waits for a second operator, who agrees')) {
  test(title, long('its rules have tests on the server'), async ({ visitor, browser }) => {
    const me = visitor(language);
    const { page, say } = me;
    const customer = await another(browser, language);
    await customer.openAccount();
    await openConsole(me);
    await findUser(me, customer.email);
    await fillGrant(me, LARGE, 'a lost invoice');
    const dialog = page.getByRole('dialog', { name: say('admin.act.grant.title') });
    await expect(dialog.getByText(say('admin.acts.needsSecondOperator'))).toBeVisible();
    await dialog.getByRole('button', { name: say('admin.acts.propose') }).click();
    await expect(dialog.getByText(say('admin.acts.outcome.waiting'))).toBeFocused();
    await page.keyboard.press('Escape');
    await openScreen(me, 'proposals');
    const own = page.getByRole('row').filter({ hasText: customer.email });
    await expect(own).toContainText(say('admin.proposals.own'));
    await expect(own.getByRole('button')).toHaveCount(0);
    await expectAccessible(page);
    expect(await balanceOf(customer)).toBe(FREE);

    const second = await another(browser, language);
    await openConsole(second);
    await openScreen(second, 'proposals');
    const waiting = second.page.getByRole('row').filter({ hasText: customer.email });
    await waiting.getByRole('button').click();
    const question = second.page.getByRole('dialog');
    await expect(question).toContainText('a lost invoice');
    await expectAccessible(second.page);
    // The decision is carried out, and its answer is lost.
    await second.page.route(
      '/api/admin/proposals/*',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    const agree = question.getByRole('button', { name: say('admin.proposals.agree') });
    await agree.dblclick();
    await expect(question.getByRole('alert')).toHaveText(say('admin.acts.unsure'));
    expect(await balanceOf(customer)).toBe(FREE + LARGE);
    await agree.dblclick();
    await expect(question.getByText(say('admin.acts.outcome.done'))).toBeFocused();
    await second.page.keyboard.press('Escape');
    await expect(waiting).toHaveCount(0);
    expect(await balanceOf(customer)).toBe(FREE + LARGE);
    for (const { page: own } of [customer, second]) await own.context().close();
  });
}

/** No other journey sends to it: the pause is for everybody. */
const PAUSED = { id: 'gemini-2.5-flash', title: 'Gemini 2.5 Flash' };

test(
  'an operator pauses a model, its user sees it at once and is refused nothing else, and it is resumed',
  long('its rules have tests on the server'),
  async ({ visitor, browser }) => {
    const me = visitor('zh');
    const { page, say } = me;
    const customer = await another(browser, 'zh');
    await customer.openAccount();
    await buy(customer, { planKey: 'gemini_basic', cycle: 'monthly', provider: 'creem' });
    await customer.page.goto('/zh/chat');
    await customer.modelButton.click();
    const option = customer.page
      .getByRole('menuitemradio')
      .filter({ has: customer.page.getByText(PAUSED.title, { exact: true }) });
    await option.click();
    await customer.composer.fill('hello');
    await expect(customer.sendButton).toBeEnabled();

    await openConsole(me);
    await openScreen(me, 'models');
    const line = page
      .getByRole('table', { name: say('admin.models.list') })
      .getByRole('row')
      .filter({ has: page.getByText(PAUSED.id, { exact: true }) });
    await expect(line).toContainText(say('admin.word.modelState.on'));
    await expectAccessibleInBothThemes(page);
    try {
      await line
        .getByRole('button', { name: say('admin.models.pauseNamed', { model: PAUSED.title }) })
        .click();
      const dialog = page.getByRole('dialog', { name: say('admin.act.pause_model.title') });
      await expect(dialog.getByText(say('admin.models.users'))).toBeVisible();
      await dialog.getByLabel(say('admin.acts.reason')).fill('the provider is down');
      await expectAccessibleInBothThemes(page);
      await dialog.getByRole('button', { name: say('admin.act.pause_model.do'), exact: true }).dblclick();
      await expect(dialog.getByText(say('admin.acts.outcome.done'))).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(line).toContainText(say('admin.word.modelState.paused'));
      const history = page.getByRole('table', { name: say('admin.models.history') });
      const change = history.getByRole('row').filter({ hasText: me.email });
      await expect(change).toHaveCount(1);
      await expect(change).toContainText('the provider is down');
      await page.setViewportSize({ width: 390, height: 844 });
      await expectAccessible(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      await page.setViewportSize({ width: 1280, height: 720 });

      const notice = customer.page.getByText(say('chat.modelPaused', { model: PAUSED.title }));
      await expect(notice).toBeVisible();
      await expect(customer.sendButton).toBeDisabled();
      await expectAccessible(customer.page);
      await customer.page.getByRole('button', { name: new RegExp(`${PAUSED.title}$`) }).click();
      await expect(option).toBeDisabled();
      await expect(option).toContainText(say('chat.modelUnavailable'));
      await customer.page.keyboard.press('Escape');

      await line
        .getByRole('button', { name: say('admin.models.resumeNamed', { model: PAUSED.title }) })
        .click();
      const again = page.getByRole('dialog', { name: say('admin.act.resume_model.title') });
      await again.getByLabel(say('admin.acts.reason')).fill('it is back');
      await again.getByRole('button', { name: say('admin.act.resume_model.do'), exact: true }).click();
      await expect(again.getByText(say('admin.acts.outcome.done'))).toBeFocused();
      await expect(notice).toBeHidden();
      await expect(customer.sendButton).toBeEnabled();
    } finally {
      await runAdmin(['resume-model', PAUSED.id, '--reason', 'the journey is over']).catch(() => {});
      await customer.page.context().close();
    }
  },
);
