import type { IncomingMessage, ServerResponse } from 'node:http';
import { GOOD_CARD, readCard } from './cards.ts';
import type { Checkout, Product } from './ledger.ts';
import { answerPage, escapeHtml, formatMoney, languageOf, readForm, redirect } from './page.ts';
import { TEXTS } from './page-texts.ts';
import type { ProviderWorld } from './provider-world.ts';

/** What is the provider's own about its hosted page. */
export interface CheckoutPage {
  providerName: string;
  world: ProviderWorld;
  /** Where the buyer goes after paying; null: nowhere. */
  returnUrl(checkout: Checkout): string | null;
}

/** Answers `GET` and `POST` of the hosted page of one checkout. */
export async function answerCheckoutPage(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  checkoutId: string,
  page: CheckoutPage,
) {
  const { ledger } = page.world.merchant;
  const checkout = ledger.checkouts.find((each) => each.id === checkoutId);
  const language = languageOf(request, url, checkout?.successUrl ?? null);
  const words = TEXTS[language];
  const product = ledger.products.find((each) => each.id === checkout?.productId);
  if (!checkout || !product)
    return answerPage(response, 404, language, words.missing, `<h1>${words.missing}</h1>`);
  const show = (status: number, message: string | null) =>
    answerPage(
      response,
      status,
      language,
      `${words.checkout} – ${page.providerName}`,
      form(checkout, product, page, { language, message }),
    );
  if (request.method !== 'POST') return show(200, checkout.status === 'abandoned' ? words.abandoned : null);
  const fields = await readForm(request);
  const act = fields.get('act');
  if (act === 'abandon') {
    page.world.merchant.abandon(checkout.id);
    return show(200, words.abandoned);
  }
  const card = act === 'decline' ? '4000000000000002' : readCard(fields.get('card') ?? '');
  const reason = page.world.merchant.pay(
    checkout.id,
    card,
    fields.get('email')?.trim() || 'buyer@example.test',
  );
  if (reason !== null) {
    const said = words[reason as 'declined'] ?? words.declined;
    return show(402, words.refused.replace('{reason}', said));
  }
  const next = page.returnUrl(checkout);
  return next === null ? show(200, words.done) : redirect(response, next);
}

function form(
  checkout: Checkout,
  product: Product,
  page: CheckoutPage,
  { language, message }: { language: 'zh' | 'en'; message: string | null },
): string {
  const words = TEXTS[language];
  const price = formatMoney(product.priceMinor, product.currency, language);
  const rhythm = product.months === null ? words.once : product.months === 12 ? words.annual : words.monthly;
  const shop = URL.parse(checkout.successUrl ?? '')?.origin;
  const back = shop ? `<a class="button" href="${escapeHtml(shop)}">${words.back}</a>` : '';
  const head = `<p class="note">${escapeHtml(words.notice.replace('{provider}', page.providerName))}</p>
<section class="card"><h1>${escapeHtml(product.name)}</h1><p class="price">${escapeHtml(price)}</p><p>${rhythm}</p>`;
  const notice = message === null ? '' : `<p class="bad" role="alert">${escapeHtml(message)}</p>`;
  if (checkout.status === 'completed') return `${head}<p>${words.done}</p>${back}</section>`;
  const email = checkout.email ?? '';
  const locked = checkout.email === null ? 'required' : 'readonly';
  return `${head}${notice}<form method="post">
<label>${words.email}<input name="email" type="email" autocomplete="email" value="${escapeHtml(email)}" ${locked}></label>
<label>${words.card}<input name="card" inputmode="numeric" autocomplete="off" value="${GOOD_CARD.replace(/(\d{4})(?=\d)/g, '$1 ')}"></label>
<p class="note">${words.cards}</p>
<button class="main" name="act" value="pay">${escapeHtml(words.pay.replace('{amount}', price))}</button>
<button name="act" value="decline" formnovalidate>${words.decline}</button>
<button name="act" value="abandon" formnovalidate>${words.abandon}</button></form>${back}</section>`;
}
