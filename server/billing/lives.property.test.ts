import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect } from '#test/lives/collect.ts';
import { judge, waysOf } from '#test/lives/judge.ts';
import { LIVES } from '#test/lives/lives.ts';
import { type Served, servePlayed } from '#test/lives/serve-played.ts';

/** Set: ever more ways of telling each life. */
const IN_DEPTH = process.env.LIFE_WAYS === 'all';
const CASES = LIVES.flatMap((life) => life.providers.map((provider) => ({ life, provider, name: life.name })));
const served = {} as Record<'creem' | 'bagelpay', Served>;
beforeAll(async () => {
  for (const name of ['creem', 'bagelpay'] as const) served[name] = await servePlayed(name);
});
afterAll(async () => {
  for (const each of Object.values(served)) await each.close();
});

describe('a whole life, told in every order with each part dropped, doubled and late', { timeout: 120_000 }, () => {
  it.each(CASES)('$name, at $provider: comes to one end', async ({ life, provider }) => {
    const told = await collect(life, served[provider]);
    const begun = performance.now();
    const judged = waysOf(told, IN_DEPTH).map((way) => judge(told, way, provider));
    const [first] = judged.flatMap(({ faults }) => faults).sort((a, b) => a.path.length - b.path.length);
    console.log(life.name, provider, told.events.length, judged.reduce((s, j) => s + j.ways, 0), Math.round(performance.now() - begun), judged.flatMap((j) => j.faults).length);
    for (const j of judged) { const f = j.faults[0]; if (f) console.log(JSON.stringify(f)); }
    expect(first && { ...first, expected: life.end }).toBeUndefined();
  });
});
