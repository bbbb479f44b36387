import type { CheckoutAnswer } from '#contract/billing.ts';
import type { Shop } from './shop.ts';

/** A purchase at Creem whose price the provider has changed since the checkout, so that its charge pays nothing. Returns the order's id. */
export async function payOtherPrice(
  { creem }: Shop,
  buyer: Awaited<ReturnType<Shop['buyer']>>,
): Promise<string> {
  const { control } = creem;
  const { orderId } = (await (await buyer.begin('creem')).json()) as CheckoutAnswer;
  const product = (await control.ledger()).products.find(({ id }) => id === 'prod_basic_monthly');
  await control.act('product', { ...product, priceMinor: 123 });
  await buyer.pay('creem', orderId);
  await control.act('product', { ...product });
  return orderId;
}
