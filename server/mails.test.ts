import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from '#contract/choices.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import {
  disputeFact,
  orderOf,
  paymentFact,
  refundFact,
  standingAt,
  subscriptionFact,
} from '#test/billing/world.ts';
import { insertUser } from '#test/factories.ts';
import { composeAccountMail } from './accounts/mails/compose-account-mail.ts';
import { addMonths } from './billing/facts/period-rules.ts';
import { composeBillingMail } from './billing/mails/compose-billing-mail.ts';
import { composeDowngradeOffer } from './billing/mails/compose-downgrade-offer.ts';
import { composePaymentFailed } from './billing/mails/compose-payment-failed.ts';
import { composePlanEnded } from './billing/mails/compose-plan-ended.ts';
import { composeReceipt } from './billing/mails/compose-receipt.ts';
import { composeRenewalReminder } from './billing/mails/compose-renewal-reminder.ts';
import type { Standing } from './billing/projection/list-billing-mails.ts';
import { newId } from './platform/ids.ts';
import type { WantedMail } from './platform/mail/mail-queue.ts';
import { type MailContent, type RenderedMail, renderMail } from './platform/mail/render-mail.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  await app.database.database.sql`
    insert into billing.uncredited (provider, transaction_id, reason, amount_minor, currency, paid_at, found_at, alert_at)
    values ('creem', 'tran_9', 'other_amount', 690, 'USD', now(), now(), now())`;
});
afterAll(() => app.close());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const T0 = Date.UTC(2027, 4, 1);
const END = addMonths(T0, 1);
const order = orderOf('basic', T0);
const payment = paymentFact(order);
const PERIOD = { period: 'creem:basic:2027-05-01' };

/** The values of each mail about an account, beside its address. */
const ACCOUNT: Record<string, (userId: string, changeId: string) => WantedMail['params']> = {
  password_reset: () => ({}),
  sign_in_link: () => ({}),
  password_set: (userId) => ({ userId }),
  password_changed: (userId) => ({ userId }),
  password_reset_done: (userId) => ({ userId }),
  verify_email: (userId) => ({ userId }),
  new_sign_in: (userId) => ({ userId, userAgent: 'Firefox/140 (Windows)', address: '203.0.113.7', at: T0 }),
  email_change_old: (_, changeId) => ({ changeId }),
  email_change_new: (_, changeId) => ({ changeId }),
  email_changed: () => ({ oldEmail: 'old@example.test', newEmail: 'new@example.test' }),
  account_deleted: () => ({}),
  export_ready: () => ({}),
  second_factor_on: (userId) => ({ userId, wayId: newId() }),
  second_factor_moved: (userId) => ({ userId }),
  second_factor_off: (userId) => ({ userId }),
  recovery_code_used: (userId) => ({ userId, left: 7 }),
  passkey_added: (userId) => ({ userId, wayId: newId(), name: 'iPhone' }),
  passkey_removed: () => ({ name: 'iPhone' }),
  recovery_codes_renewed: () => ({}),
  api_key_created: (userId) => ({ userId, name: 'Script', prefix: 'sk-parley-abc123' }),
  api_key_changed: (userId) => ({ userId, name: 'Script', prefix: 'sk-parley-abc123' }),
  google_connected: (userId) => ({ userId, account: 'me@example.test' }),
  google_disconnected: () => ({ account: 'me@example.test' }),
  access_voided: () => ({}),
  uncredited_charge: () => ({ provider: 'creem', transactionId: 'tran_9' }),
};

type ComposeBilling = typeof composeReceipt;
/** What each mail about purchases is composed of. */
const BILLING: Record<string, [ComposeBilling, WantedMail['params'], Standing][]> = {
  receipt: [[composeReceipt, { paymentKey: 'creem:tran_basic' }, standingAt(T0 + HOUR, [payment], order)]],
  renewal_reminder: [[composeRenewalReminder, PERIOD, standingAt(END - 3 * DAY, [payment], order)]],
  payment_failed: [[composePaymentFailed, PERIOD, standingAt(END + DAY, [payment], order)]],
  downgrade_offer: [
    [
      composeDowngradeOffer,
      PERIOD,
      {
        ...standingAt(END - 2 * DAY, [payment, subscriptionFact(order, 'scheduled_cancel', T0 + DAY)], order),
        wish: {
          planKey: 'gemini_basic',
          cycle: 'monthly',
          orderId: order.id,
          from: END - 3 * DAY,
          until: END,
        },
      },
    ],
  ],
  plan_ended: [
    [payment],
    [payment, subscriptionFact(order, 'canceled', T0 + DAY)],
    [payment, refundFact(payment, payment.amountMinor)],
    [payment, disputeFact('tran_basic')],
  ].map((facts) => [composePlanEnded, PERIOD, standingAt(END + 3 * DAY, facts, order)]),
};

const composers = () => ({ ...composeAccountMail(app.deps), ...composeBillingMail(app.deps) });

async function composeAccount(template: string, language: Language, email: string): Promise<MailContent> {
  const { sql } = app.database.database;
  const { userId } = await insertUser(sql, { email });
  const changeId = newId();
  const newEmail = `new-${userId}@example.test`;
  await sql`
    insert into email_changes (id, user_id, new_email, expires_at)
    values (${changeId}, ${userId}, ${newEmail}, now() + interval '1 day')`;
  const params = ACCOUNT[template]?.(userId, changeId) ?? {};
  const to = template === 'email_change_new' ? newEmail : email;
  const content = await composers()[template]?.({ key: template, template, to, language, params, tries: 1 });
  if (!content) throw new Error(`${template} is not wanted`);
  return content;
}

function composeBilling(
  compose: ComposeBilling,
  language: Language,
  params: WantedMail['params'],
  standing: Standing,
) {
  const mail = { key: 'one', template: 'any', to: 'me@example.test', language, params };
  const { publicUrl, brand } = app.config;
  return compose({ mail, standing, offersResume: (provider) => provider === 'creem', publicUrl, brand });
}

const render = (content: MailContent, language: Language) =>
  renderMail(content, language, app.config.brand, app.config.publicUrl);

/** What the HTML part says, as text. */
function readHtml(html: string): string {
  const body = html.slice(html.indexOf('<body'));
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return body.replace(/<[^>]*>/g, '\n').replace(/&(\w+|#39);/g, (all, name) => entities[name] ?? all);
}

function expectSound(content: MailContent, { subject, text, html }: RenderedMail, language: Language) {
  expect(subject.length).toBeLessThanOrEqual(60);
  expect(`${subject}${text}`).not.toMatch(/\{\{|\}\}|undefined|null|NaN|Invalid/);
  const shown = readHtml(html);
  const links = [content.action, content.other].filter((link) => link !== undefined);
  const said = [
    ...content.paragraphs,
    ...(content.facts ?? []).flat(),
    ...links.map(({ label }) => label),
    ...(content.note ? [content.note] : []),
  ];
  for (const each of said) {
    expect(each.trim()).not.toBe('');
    expect(text).toContain(each);
    expect(shown).toContain(each);
  }
  const hrefs = [...html.matchAll(/href="([^"]*)"/g)].map((match) => match[1] ?? '');
  expect(hrefs.length).toBeGreaterThan(links.length);
  for (const { url } of links) expect(text).toContain(url);
  for (const href of hrefs) expect(href.startsWith(app.config.publicUrl)).toBe(true);
  expect(html).not.toMatch(/<(img|script|link|iframe)|url\(|src=/);
  const words = `${subject}${content.paragraphs.join('')}${content.note ?? ''}`;
  if (language === 'zh') expect(words).toMatch(/[\u4e00-\u9fff]/);
  else expect(text).not.toMatch(/[\u3000-\u9fff\uff00-\uffef]/);
}

it('every mail that the server can send is looked at here', () => {
  expect(Object.keys({ ...ACCOUNT, ...BILLING }).sort()).toEqual(Object.keys(composers()).sort());
});

describe.each(LANGUAGES)('in %s', (language) => {
  it.each(Object.keys(ACCOUNT))(
    '%s says the same in text and HTML, with every blank filled in',
    async (template) => {
      const content = await composeAccount(template, language, `${template}-${language}@example.test`);
      expectSound(content, render(content, language), language);
    },
  );

  it.each(Object.keys(BILLING))(
    '%s says the same in text and HTML, with every blank filled in',
    (template) => {
      for (const [compose, params, standing] of BILLING[template] ?? []) {
        const content = composeBilling(compose, language, params, standing);
        expect(content).not.toBeNull();
        if (content) expectSound(content, render(content, language), language);
      }
    },
  );

  it('what users wrote is text in the HTML, never markup', async () => {
    const email = `o'neil&co+${language}@example.test`;
    const { html, text } = render(await composeAccount('password_changed', language, email), language);
    expect(text).toContain(email);
    expect(html).toContain(`o&#39;neil&amp;co+${language}@example.test`);
    const content = {
      subject: '<b>1</b>',
      paragraphs: ['<script>2</script>'],
      facts: [['"3"', '<i>4']] as const,
    };
    const rendered = render(content, language);
    expect(rendered.html).not.toMatch(/<b>|<script>|<i>/);
    expect(readHtml(rendered.html)).toContain('<script>2</script>');
  });
});

it('the receipt of a charge that granted nothing speaks of no Credits that came', () => {
  const [[, params, standing] = []] = BILLING.receipt ?? [];
  if (!params || !standing) throw new Error('no receipt');
  const said = (granting: Standing['granting']) => {
    const content = composeBilling(composeReceipt, 'en', params, { ...standing, granting });
    return content ? render(content, 'en').text : '';
  };
  expect(said(standing.granting)).toContain('Credits have been added');
  expect(said(new Set())).not.toContain('Credits have been added');
  expect(said(new Set())).toContain('No Credits');
});

it('the mail about a lower plan speaks of resuming only where and while one can', () => {
  const [[, , standing] = []] = BILLING.downgrade_offer ?? [];
  if (!standing?.wish) throw new Error('no offer');
  const { wish } = standing;
  const noteOf = (each: Standing, { period } = PERIOD) => {
    const content = composeBilling(composeDowngradeOffer, 'en', { period }, each);
    if (!content) throw new Error('no mail');
    return content.note;
  };
  expect(noteOf(standing)).toContain('resume');
  expect(noteOf({ ...standing, now: wish.until })).toBeUndefined();
  const [shown] = standing.subscriptions;
  if (!shown) throw new Error('no subscription');
  const order = { ...shown.order, provider: 'bagelpay' as const };
  const other = { ...standing, subscriptions: [{ ...shown, order }] };
  expect(noteOf(other, { period: 'bagelpay:basic:2027-05-01' })).toBeUndefined();
});
