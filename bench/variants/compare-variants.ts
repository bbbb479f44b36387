import { percentile } from '../percentile.ts';
import { table } from '../results.ts';

/** Figures by what they are called. */
export type Figures = Record<string, number>;

export interface Variant {
  name: string;
  measure(): Promise<Figures>;
}

/**
 * Measures variants in turn, so many rounds, every other round in the opposite order: what the machine does meanwhile meets all of
 * them. Answers a table of the medians with the lowest and highest, and of each against the first variant.
 */
export async function compareVariants(variants: readonly Variant[], rounds: number): Promise<string> {
  const all = variants.map((variant) => ({ ...variant, rounds: [] as Figures[] }));
  for (let round = 0; round < rounds; round += 1)
    for (const one of round % 2 === 0 ? all : all.toReversed()) one.rounds.push(await one.measure());
  const [first, ...others] = all;
  const names = Object.keys(first?.rounds[0] ?? {});
  const rows = names.map((name) => {
    const columns = all.map((one) =>
      Float64Array.from(one.rounds, (figures) => figures[name] ?? Number.NaN).sort(),
    );
    const [base = Number.NaN, ...rest] = columns.map((values) => percentile(values, 0.5));
    return [
      name,
      ...columns.map(showRange),
      ...rest.map((value) => (base === 0 ? '' : (value / base).toFixed(2))),
    ];
  });
  const heads = [
    'figure',
    ...all.map(({ name }) => name),
    ...others.map(({ name }) => `${name} / ${first?.name}`),
  ];
  return `Medians of ${rounds} rounds, in turn, with the lowest and highest\n\n${table(heads, rows)}`;
}

/** The median of sorted values, with the lowest and highest. */
export function showRange(values: Float64Array): string {
  const [low = Number.NaN, middle, high = Number.NaN] = [0, 0.5, 1].map((share) => percentile(values, share));
  return `${middle?.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}
