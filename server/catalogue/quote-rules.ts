import { MAX_STEPS } from '#contract/limits.ts';
import type { Charge, Quote } from '#contract/message/quotes.ts';
import { EXTRA_PRICES, type ExtraPrices, extraPricesAt } from './extra-prices.ts';
import { costAt, type Model } from './models.ts';

/** What decides the price of a message besides its model. */
export interface Priced {
  /** Tokens of each file and picture that the model reads in this turn. */
  fileTokens?: readonly number[];
  /** Whether the model may search the web. */
  search?: boolean;
  /** How large a picture is to be made: only of a model that makes them, 1K unless said otherwise. */
  picture?: keyof ExtraPrices['picture'] | undefined;
  /** Steps of a browser that the message may take. */
  steps?: number;
}

/** What an answer did of what was quoted. */
export interface Ran {
  searches?: number;
  pictures?: number;
  steps?: number;
}

type Line = Quote['lines'][number];

/** A model as its price needs it. */
type PricedModel = Pick<Model, 'cost' | 'laterCosts' | 'pictures'>;

/** The most that a message to the model costs at a time, line by line; null for a model that cannot be asked. */
export function quoteOf(
  model: PricedModel,
  priced: Priced,
  at: Date,
  rows: readonly ExtraPrices[] = EXTRA_PRICES,
): Quote | null {
  const cost = costAt(model, at);
  if (cost === null) return null;
  const prices = extraPricesAt(at, rows);
  const makes = model.pictures !== null;
  const lines = [
    makes ? null : { kind: 'message' as const, max: cost, params: {} },
    filesLine(priced, prices),
    searchLine(priced, prices),
    makes ? pictureLine(priced, prices) : null,
    computerLine(priced, prices, cost),
  ].filter((line) => line !== null);
  return { max: lines.reduce((sum, line) => sum + line.max, 0), lines };
}

/**
 * How many steps of a browser a message may take without asking: as many as were chosen, rounded up to what whole prices cover, or
 * what the price of the message covers.
 */
export function allowedSteps(
  chosen: number | undefined,
  at: Date,
  rows: readonly ExtraPrices[] = EXTRA_PRICES,
): number {
  const covered = extraPricesAt(at, rows).computer.steps;
  return Math.min(Math.ceil((chosen ?? covered) / covered) * covered, MAX_STEPS);
}

/**
 * What more steps of a browser cost a message: its own price, as its user saw it, also where prices changed while it ran. A quote
 * without a line of steps covers the `paidSteps`. What else the quote does not say is as the model's price is at `at`.
 */
export function priceOfMoreSteps(
  { quote, paidSteps }: { quote: Quote | undefined; paidSteps: number },
  model: PricedModel | undefined,
  at: Date,
): { steps: number; credits: number } {
  const { each, covered } = quote?.lines.find(({ kind }) => kind === 'computer')?.params ?? {};
  const own = quote?.lines.find(({ kind }) => kind === 'message')?.max;
  return {
    steps: covered ?? paidSteps,
    credits: each ?? own ?? (model && costAt(model, at)) ?? 0,
  };
}

/** A quote with more steps of a browser, after those that it has. */
export function extendQuote(
  { max, lines }: Quote,
  paidSteps: number,
  { steps, credits }: { steps: number; credits: number },
): Quote {
  const before = lines.find(({ kind }) => kind === 'computer');
  const params = { each: credits, covered: steps, ...before?.params, steps: paidSteps + steps };
  const line: Line = { kind: 'computer', max: (before?.max ?? 0) + credits, params };
  return { max: max + credits, lines: [...lines.filter((each) => each !== before), line] };
}

/** The quote of a message that is its model's price alone. */
export function plainQuote(cost: number): Quote {
  return { max: cost, lines: [{ kind: 'message', max: cost, params: {} }] };
}

/** The charge of a message that was charged its model's price, or nothing. */
export function plainCharge(total: number): Charge {
  return { total, lines: total === 0 ? [] : [{ kind: 'message', credits: total }] };
}

/** What a message is charged that is not free, by its quote and what ran: never more than any of the quoted lines. */
export function chargeOf({ lines }: Quote, ran: Ran): Charge {
  // A message that was to make a picture and made none is free, whatever it read for it.
  if (!ran.pictures && lines.some(({ kind }) => kind === 'picture')) return plainCharge(0);
  const charged = lines
    .map((line) => ({ kind: line.kind, credits: Math.min(line.max, creditsOf(line, ran)) }))
    .filter(({ credits }) => credits > 0);
  return { total: charged.reduce((sum, { credits }) => sum + credits, 0), lines: charged };
}

function creditsOf({ kind, max, params }: Line, { searches = 0, pictures = 0, steps = 0 }: Ran): number {
  const { each = 0, covered = 0 } = params;
  if (kind === 'search') return each * searches;
  if (kind === 'picture') return each * pictures;
  if (kind === 'computer') return each * Math.max(0, Math.ceil(steps / covered) - 1);
  return max;
}

function filesLine({ fileTokens = [] }: Priced, { files }: ExtraPrices): Line | null {
  const tokens = fileTokens.reduce((sum, each) => sum + each, 0);
  const steps = Math.ceil(Math.max(0, tokens - files.free) / files.step);
  return steps === 0 ? null : { kind: 'files', max: steps * files.each, params: { tokens, ...files } };
}

function searchLine({ search }: Priced, { search: price }: ExtraPrices): Line | null {
  return search ? { kind: 'search', max: price.most, params: { ...price } } : null;
}

/** A picture is the whole price of its message: where none is made nothing is charged, whatever was said. */
function pictureLine({ picture = '1K' }: Priced, { picture: prices }: ExtraPrices): Line {
  return { kind: 'picture', max: prices[picture], params: { each: prices[picture] } };
}

/** The price of the message covers its first steps. */
function computerLine({ steps = 0 }: Priced, { computer }: ExtraPrices, cost: number): Line | null {
  const again = Math.ceil(steps / computer.steps) - 1;
  if (again <= 0) return null;
  return { kind: 'computer', max: again * cost, params: { steps, each: cost, covered: computer.steps } };
}
