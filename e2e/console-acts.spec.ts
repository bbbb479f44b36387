import type { ActName } from '#contract/admin/acts.ts';
import type { Receipt } from '#contract/billing.ts';
import { orderNumber } from '#contract/order-rules.ts';
import type { Ledger } from '#emulators/payments/ledger.ts';
import { codeOf } from '#test/accounts/second-factor.ts';
import { another, findUser, growOld, onDatabase, openConsole, openScreen } from './console.ts';
import { expectAccessible } from './expect-accessible.ts';
import { long } from './long.ts';
import { type ProductWithClock, test } from './product-with-clock.ts';
import { billingOf, buy } from './purchase.ts';
import { journeys } from './texts.ts';
import { expect, type Visitor } from './visitor.ts';

const TERMS = { planKey: 'gemini_basic', cycle: 'monthly', provider: 'creem' } as const;
const FREE = 40;
const BASIC = 500;
const TAKEN = 15;

/** An operator at the console of a product of their own. */
interface Desk {
  me: Visitor;
  /** Of their second factor. */
  secret: string;
  product: ProductWithClock;
}

/** Somebody who bought a plan at Creem, and their charge there. */
interface Buyer {
  customer: Visitor;
  orderId: string;
  transactionId: string;
  paymentKey: string;
}

const reasonOf = (name: ActName) => `a journey of ${name}`;

/** Has Creem do something by itself. */
async function atCreem({ creem }: ProductWithClock, name: string, body: object): Promise<void> {
  const response = await fetch(`${creem}/__control/${name}`, { method: 'POST', body: JSON.stringify(body) });
  expect(response.status, name).toBe(200);
}

async function ledgerOf({ creem }: ProductWithClock): Promise<Ledger> {
  return (await (await fetch(`${creem}/__control/ledger`)).json()) as Ledger;
}

async function becomeBuyer(customer: Visitor): Promise<Buyer> {
  await customer.openAccount();
  const orderId = await buy(customer, TERMS);
  const receipt = await customer.page.request.get(`/api/orders/${orderId}`);
  const { charges } = (await receipt.json()) as Receipt;
  const transactionId = charges[0]?.transactionId ?? '';
  await expect.poll(() => customer.balance()).toBe(FREE + BASIC);
  return { customer, orderId, transactionId, paymentKey: `creem:${transactionId}` };
}

/** Carries out the act whose dialog is open: a proof of eleven minutes ago is asked for again, and its button is pressed twice. */
async function carryOut({ me, secret, product }: Desk, name: ActName): Promise<void> {
  const { page, say } = me;
  const dialog = page.getByRole('dialog', { name: say(`admin.act.${name}.title`) });
  await dialog.getByLabel(say('admin.acts.reason')).fill(reasonOf(name));
  const submit = dialog.getByRole('button', { name: say(`admin.act.${name}.do`), exact: true });
  await expect(submit).toBeEnabled();
  await expectAccessible(page);
  await growOld(me, product);
  await submit.dblclick();
  const proof = page.getByRole('dialog', { name: say('confirmation.title') });
  await proof.getByLabel(say('secondStep.code'), { exact: true }).fill(codeOf(secret, await product.now()));
  await page.keyboard.press('Enter');
  await expect(dialog.getByText(say('admin.acts.outcome.done'))).toBeFocused();
  await expect(proof).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
}

/** From the screen of a user: all that is left of a charge goes back to them, and then some of the credits they have left. */
async function refundAndTake(desk: Desk, { customer, transactionId, paymentKey }: Buyer): Promise<void> {
  const { page, say } = desk.me;
  await findUser(desk.me, customer.email);
  const refund = page.getByRole('button', { name: say('admin.user.refundNamed', { id: paymentKey }) });
  await refund.click();
  await carryOut(desk, 'refund');
  await expect(refund).toHaveCount(0);
  const { refunds } = await ledgerOf(desk.product);
  expect(refunds.filter((each) => each.transactionId === transactionId)).toHaveLength(1);
  await expect.poll(() => customer.balance()).toBe(FREE);

  await page.getByRole('button', { name: say('admin.act.take.button'), exact: true }).click();
  const dialog = page.getByRole('dialog', { name: say('admin.act.take.title') });
  await dialog.getByLabel(say('admin.acts.creditsTaken')).fill(String(TAKEN));
  await expect(dialog.getByText(`−${TAKEN}`, { exact: true })).toBeVisible();
  await carryOut(desk, 'take');
  await expect(page.getByRole('cell', { name: `−${TAKEN}`, exact: true })).toHaveCount(1);
  expect(await customer.balance()).toBe(FREE - TAKEN);
}

/** From the screen of an order: its subscription was cancelled at Creem, whose webhook is lost. */
async function adoptOrder(desk: Desk, { customer, orderId, transactionId }: Buyer): Promise<void> {
  const { page, say } = desk.me;
  const { transactions } = await ledgerOf(desk.product);
  const paid = transactions.find(({ id }) => id === transactionId);
  await atCreem(desk.product, 'webhook-fault', { fault: 'drop', match: 'scheduled_cancel' });
  await atCreem(desk.product, 'cancel', { subscription: paid?.subscriptionId, when: 'period_end' });
  await openScreen(desk.me, 'orders');
  await page.getByRole('link', { name: orderNumber({ id: orderId }), exact: true }).click();
  expect((await billingOf(customer)).subscriptions[0]?.renews).toBe(true);
  const adopt = page.getByRole('button', { name: say('admin.act.adopt_order.button'), exact: true });
  await adopt.click();
  await carryOut(desk, 'adopt_order');
  await expect(page.getByText(say('admin.order.noDifferences'))).toBeVisible();
  await expect(adopt).toHaveCount(0);
  await expect.poll(async () => (await billingOf(customer)).subscriptions[0]?.renews).toBe(false);
  expect(await customer.balance()).toBe(FREE + BASIC);
}

/** From the screen of disputes: the buyer can buy again, and what the dispute took back stays taken. */
async function clearDispute(desk: Desk, { customer, transactionId, paymentKey }: Buyer): Promise<void> {
  const { page, say } = desk.me;
  const blocked = async () => (await billingOf(customer)).checkoutBlocked;
  await atCreem(desk.product, 'dispute', { transaction: transactionId });
  await expect.poll(blocked).toBe('disputed');
  await openScreen(desk.me, 'disputes');
  const clear = page.getByRole('button', { name: say('admin.disputes.clearNamed', { id: paymentKey }) });
  await clear.click();
  await carryOut(desk, 'clear_dispute');
  await expect(clear).toHaveCount(0);
  expect(await blocked()).toBeNull();
  expect(await customer.balance()).toBe(FREE);
}

/** From the screen of webhooks: one that was given up is read, and what it tells is not counted twice. */
async function replay(desk: Desk, { customer }: Buyer): Promise<void> {
  const { page, say } = desk.me;
  const [webhook] = await onDatabase(
    (sql) => sql<{ id: string }[]>`
      insert into billing.inbox (provider, dedupe_key, type, raw, headers, received_at, status, tries, next_try_at, error)
      select provider, dedupe_key || ' again', type, raw, headers, now(), 'failed', 36, now(), 'creem: 503'
        from billing.inbox where type = 'subscription.paid' and status = 'done'
         and user_id = (select id from users where email = ${customer.email}) limit 1 returning id`,
    desk.product,
  );
  await openScreen(desk.me, 'inbox');
  const name = say('admin.inbox.replayNamed', { id: webhook?.id ?? '' });
  const again = page.getByRole('button', { name, exact: true });
  const row = page.getByRole('row').filter({ has: again });
  await expect(row).toContainText(say('admin.word.inboxStatus.failed'));
  await again.click();
  await carryOut(desk, 'replay');
  await expect(row).toContainText(say('admin.word.inboxStatus.done'));
  expect(await customer.balance()).toBe(FREE);
}

for (const { language, title } of journeys(
  'an operator refunds, takes back, updates an order, settles a dispute and replays a webhook, each once on a new proof',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor, browser, product }) => {
    const me = visitor(language);
    const desk = { me, product, secret: await openConsole(me, product) };
    const [first, second] = [await another(browser, language), await another(browser, language)];
    await test.step('refund and take', async () => refundAndTake(desk, await becomeBuyer(first)));
    const buyer = await becomeBuyer(second);
    await test.step('adopt_order', () => adoptOrder(desk, buyer));
    await test.step('clear_dispute', () => clearDispute(desk, buyer));
    await test.step('replay', () => replay(desk, buyer));

    await openScreen(me, 'audit');
    const own = me.page.getByRole('row').filter({ hasText: me.email });
    for (const name of ['refund', 'take', 'adopt_order', 'clear_dispute', 'replay'] as const) {
      const line = own.filter({ hasText: reasonOf(name) });
      await expect(line).toHaveCount(1);
      await expect(line).toContainText(me.say(`admin.word.act.${name}`));
    }
    for (const { page } of [first, second]) await page.context().close();
  });
}
