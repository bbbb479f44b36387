import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROVIDERS } from '#contract/choices.ts';
import { collect } from '#test/lives/collect.ts';
import { judge, waysOf } from '#test/lives/judge.ts';
import { LIVES } from '#test/lives/lives.ts';
import { type Served, servePlayed } from '#test/lives/serve-played.ts';
import { IS_LONG, inTurn, timeoutFor } from '#test/runs.ts';

const CASES = LIVES.flatMap((life) =>
  life.providers.map((provider) => ({ life, provider, name: life.name })),
);

const served = {} as Record<'creem' | 'bagelpay', Served>;
beforeAll(async () => {
  for (const name of PROVIDERS) served[name] = await servePlayed(name);
});
afterAll(() => Promise.all(Object.values(served).map((each) => each.close())));

describe('a whole life, told in every order with each part dropped, doubled and late', {
  timeout: timeoutFor(120_000),
}, () => {
  it.each(inTurn(CASES, 0, 3))('$name, at $provider: comes to one end', async ({ life, provider }) => {
    const told = await collect(life, served[provider]);
    const judged = waysOf(told, IS_LONG).map((way) => judge(told, way, provider));
    const shortest = judged.flatMap(({ faults }) => faults.slice(0, 1));
    expect({ faults: shortest, expected: life.end }).toEqual({ faults: [], expected: life.end });
  });
});
