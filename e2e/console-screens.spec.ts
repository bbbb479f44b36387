import type { Locator } from '@playwright/test';
import type { UserScreen } from '#contract/admin/screens.ts';
import { damageLedger, type Filled, fillConsole, mendLedger } from '#test/admin/fill-console.ts';
import { another, onDatabase, openConsole } from './console.ts';
import { expectAccessible, expectAccessibleInBothThemes } from './expect-accessible.ts';
import { long } from './long.ts';
import { buy } from './purchase.ts';
import { journeys } from './texts.ts';
import { BRIEFLY, expect, test, type Visitor } from './visitor.ts';

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
/** More than one operator gives alone. */
const LARGE = 20_000;
const FREE = 40;

/** Somebody who bought and asked, and what a bad day left of them on every screen. */
async function fill({ page }: Visitor, customer: Visitor): Promise<Filled> {
  await customer.openAccount();
  const orderId = await buy(customer, { planKey: 'gemini_basic', cycle: 'monthly', provider: 'creem' });
  const found = await page.request.get(`/api/admin/users?find=${encodeURIComponent(customer.email)}`);
  const { users } = (await found.json()) as { users: { id: string }[] };
  const userId = users[0]?.id ?? '';
  const act = async (wanted: object) => {
    const data = { id: crypto.randomUUID(), reason: 'a journey', act: wanted };
    expect((await page.request.post('/api/admin/acts', { data })).status()).toBe(200);
  };
  // What is asked from now on was paid.
  await act({ act: 'take', userId, credits: FREE });
  await act({ act: 'grant', userId, credits: LARGE, days: 30 });
  await customer.page.goto(`/${customer.language}/chat`);
  await customer.ask(`${BRIEFLY}hello`);
  await customer.rest();
  const { charges } = (await (await page.request.get(`/api/admin/users/${userId}`)).json()) as UserScreen;
  const paymentKey = charges[0]?.paymentKey ?? '';
  await act({ act: 'refund', userId, paymentKey });
  const filled = { userId, orderId, transactionId: paymentKey.replace('creem:', '') };
  await onDatabase((sql) => fillConsole(sql, filled));
  return filled;
}

for (const { language, title } of journeys(
  'every screen of the console is accessible and fits, at a desk and on a phone, with rows in it',
)) {
  test(title, long('its screens have tests of their own'), async ({ visitor, browser }) => {
    test.setTimeout(20 * 60_000);
    const me = visitor(language);
    const { page, say } = me;
    const customer = await another(browser, language);
    await openConsole(me);
    const filled = await fill(me, customer);
    await customer.page.context().close();

    /** Reads what is read when its button is pressed only. */
    const press = async (name: string, count: number, found: Locator) => {
      await page.getByRole('button', { name }).click();
      await expect(found).toHaveCount(count);
    };
    const drift = page.getByText(say('admin.ledger.hasDrift'), { exact: true });
    const contradiction = page
      .getByRole('row')
      .filter({ hasText: customer.email })
      .filter({ hasText: say('admin.word.setAside.contradictory') });
    /** What stands on each screen once it is filled, and what is pressed there. */
    const screens: Record<string, { row: string; open?: () => Promise<void> }> = {
      '': { row: say('admin.alert.upstream_balance.title', { subject: 'gemini-2.5-flash' }) },
      [`/users?find=${encodeURIComponent(customer.email)}`]: { row: customer.email },
      [`/users/${filled.userId}`]: { row: say('admin.word.act.refund') },
      '/abuse': { row: `${filled.userId.slice(-12)}@example.com` },
      '/models': { row: 'gemini-2.5-flash' },
      '/margin': { row: ' Flash' },
      '/ledger': {
        row: say('admin.ledger.hasDrift'),
        open: () => press(say('admin.ledger.check'), 2, drift),
      },
      '/orders': {
        row: say('admin.word.setAside.other_amount'),
        open: () => press(say('admin.differences.find'), 1, contradiction),
      },
      [`/orders/${filled.orderId}`]: { row: say('admin.order.isKnown') },
      '/inbox': { row: 'dispute.created' },
      '/disputes': { row: customer.email },
      '/failures': { row: say('admin.word.fault.rate') },
      '/personal-data': { row: 'no room on the disk' },
      '/proposals': { row: 'a journey' },
      '/audit': { row: 'a journey' },
    };
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    const look = async (path: string, row: string, open = async () => {}) => {
      await page.setViewportSize(WIDE);
      await page.goto(`/admin${path}`);
      await expect(page.getByText(row).first()).toBeVisible();
      await open();
      await expectAccessibleInBothThemes(page);
      expect(await width()).toBe(WIDE.width);
      await page.setViewportSize(PHONE);
      await expectAccessible(page);
      expect(await width()).toBe(PHONE.width);
    };
    await onDatabase((sql) => damageLedger(sql, filled));
    try {
      for (const [path, { row, open }] of Object.entries(screens))
        await test.step(path || '/today', () => look(path, row, open));
    } finally {
      await onDatabase((sql) => mendLedger(sql, filled));
    }
  });
}
