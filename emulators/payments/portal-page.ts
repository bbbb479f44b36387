import type { IncomingMessage, ServerResponse } from 'node:http';
import { findById, type Subscription } from './ledger.ts';
import {
  answerPage,
  escapeHtml,
  formatDay,
  formatMoney,
  type Language,
  languageOf,
  readForm,
  redirect,
} from './page.ts';
import { TEXTS } from './page-texts.ts';
import type { ProviderWorld } from './provider-world.ts';

/** Answers the page where a customer sees, cancels and resumes subscriptions. */
export async function answerPortalPage(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  customerId: string,
  world: ProviderWorld,
) {
  const { merchant } = world;
  const customer = findById(merchant.ledger.customers, customerId);
  const own = merchant.ledger.subscriptions.filter((each) => each.customerId === customerId);
  const language = languageOf(request, url, null);
  if (request.method === 'POST') {
    const fields = await readForm(request);
    const subscription = own.find((each) => each.id === fields.get('subscription'));
    const missing = TEXTS[language].missing;
    if (!subscription) return answerPage(response, 404, language, missing, `<h1>${missing}</h1>`);
    const act = fields.get('act');
    if (act === 'cancel' && subscription.status === 'active') merchant.scheduleEnd(subscription.id);
    if (act === 'resume' && subscription.status === 'scheduled_cancel') merchant.resume(subscription.id);
    return redirect(response, url.pathname + url.search);
  }
  const words = TEXTS[language];
  const rows = own.map((each) => row(each, world, language)).join('') || `<p>${words.none}</p>`;
  const notice = `<p class="note">${escapeHtml(words.notice.replace('{provider}', 'Creem'))}</p>`;
  const who = `<h1>${words.portal}</h1><p>${escapeHtml(words.signedIn.replace('{email}', customer.email))}</p>`;
  answerPage(response, 200, language, words.portal, `${notice}${who}${rows}`);
}

function row(subscription: Subscription, world: ProviderWorld, language: Language): string {
  const words = TEXTS[language];
  const product = findById(world.merchant.ledger.products, subscription.productId);
  const end = subscription.cancelAt === null ? words.until : words.ends;
  const act = {
    active: 'cancel',
    scheduled_cancel: 'resume',
    past_due: null,
    paused: null,
    canceled: null,
  } as const;
  const next = act[subscription.status];
  const button =
    next === null
      ? ''
      : `<form method="post"><input type="hidden" name="subscription" value="${escapeHtml(subscription.id)}">
<button name="act" value="${next}">${words[next]}</button></form>`;
  return `<section class="card"><h2>${escapeHtml(product.name)} · ${escapeHtml(formatMoney(product.priceMinor, product.currency, language))}</h2>
<dl><dt>${words.status}</dt><dd>${words[subscription.status]}</dd>
<dt>${end}</dt><dd>${formatDay(subscription.cancelAt ?? subscription.periodEnd, language)}</dd></dl>${button}</section>`;
}
