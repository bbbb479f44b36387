/** What a card does when it is charged. `later`: the first charge succeeds, every renewal fails. */
type CardOutcome = 'paid' | 'declined' | 'insufficient_funds' | 'incorrect_cvc' | 'expired_card' | 'later';

/** The documented test cards; the last is Stripe's for "attaches, then fails". Assumed: the providers take it too. */
const CARDS: Record<string, CardOutcome> = {
  '4242424242424242': 'paid',
  '4000000000000002': 'declined',
  '4000000000009995': 'insufficient_funds',
  '4000000000000127': 'incorrect_cvc',
  '4000000000000069': 'expired_card',
  '4000000000000341': 'later',
};

export const GOOD_CARD = '4242424242424242';

/** What happens to a charge; null: paid. A number that is no test card is declined. */
export function refusalOf(card: string, isFirst: boolean): Exclude<CardOutcome, 'paid'> | null {
  const outcome = CARDS[card] ?? 'declined';
  if (outcome === 'paid' || (outcome === 'later' && isFirst)) return null;
  return outcome === 'later' ? 'declined' : outcome;
}

/** The digits of a card number as it was typed. */
export function readCard(text: string): string {
  return text.replace(/\D/g, '').slice(0, 19);
}
