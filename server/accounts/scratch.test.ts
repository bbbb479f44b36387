import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { it } from 'vitest';
import { startAccountsApp } from '#test/accounts-app.ts';
import { runsOf, runsWithGuesses } from '#test/accounts-steps.ts';
import { judge } from '#test/accounts-verdict.ts';
import { World } from '#test/accounts-world.ts';

it('collects', { timeout: 3_000_000 }, async () => {
  const app = await startAccountsApp();
  const n = Number(process.env.N ?? 200);
  const faults = new Map<string, { count: number; run: string }>();
  const tally = new Map<string, number>();
  const t = Date.now();
  const cpu = process.cpuUsage();
  const go = async (domain: 'gmail.com' | 'mail.example', run: any[]) => {
    const world = new World(app, tally, domain);
    try {
      for (const step of run) await step(world);
      await judge(world);
    } catch (e) {
      return e instanceof Error
        ? e.constructor.name === 'RuleBroken'
          ? e.message
          : String(e.stack)
        : String(e);
    } finally {
      for (const { stream } of world.streams) stream.close();
    }
    return null;
  };
  const key = (m: string) => m.replace(/\w+\.run\d+-\d+@/g, '@').slice(0, 600);
  for (const [domain, run] of fc.sample(
    fc.tuple(
      fc.constantFrom('gmail.com' as const, 'mail.example' as const),
      fc.oneof(
        { weight: 20, arbitrary: runsOf('a stranger was first') },
        { weight: 20, arbitrary: runsOf('the owner was first') },
        { weight: Number(process.env.GUESS ?? 1), arbitrary: runsWithGuesses() },
      ),
    ),
    { numRuns: n, seed: Number(process.env.SEED ?? 1) },
  )) {
    const m = await go(domain, run);
    if (m === null) continue;
    const old = faults.get(key(m));
    if (old) {
      old.count += 1;
      continue;
    }
    // shrink by leaving out
    let best = run;
    for (let again = true; again; ) {
      again = false;
      for (let at = best.length - 1; at >= 0; at -= 1) {
        const less = best.toSpliced(at, 1);
        const mm = await go(domain, less);
        if (mm !== null && key(mm) === key(m)) {
          best = less;
          again = true;
        }
      }
    }
    faults.set(key(m), { count: 1, run: `${domain}: ${best.join('; ')}` });
  }
  const used = process.cpuUsage(cpu);
  const out =
    `${n} runs in ${Date.now() - t} ms, cpu ${(used.user + used.system) / 1000}\n${JSON.stringify(Object.fromEntries(tally), null, 1)}\n` +
    [...faults].map(([m, f]) => `${f.count}x ${m}\n      ${f.run}`).join('\n');
  writeFileSync(process.env.OUT ?? '/tmp/a3-faults.txt', out);
  await app.close();
});
