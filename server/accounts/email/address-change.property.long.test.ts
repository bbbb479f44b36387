import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AccountsApp, startAccountsApp } from '#test/accounts/app.ts';
import { checkRuns, unreached } from '#test/accounts/property.ts';
import { runsOfChanges } from '#test/accounts/steps.ts';
import { runs, timeoutFor } from '#test/runs.ts';

let app: AccountsApp;
beforeAll(async () => {
  app = await startAccountsApp();
});
afterAll(() => app.close());

it('A3: an account gets no address whose mailbox is not its own, and no stranger keeps one', {
  timeout: timeoutFor(600_000),
}, async () => {
  const tally = await checkRuns(app, runsOfChanges(), runs(500));
  const wanted = [
    'ask for another address',
    'agree to another address',
    'change the address',
    'shut change link tried',
    'open password tried',
    'reset',
  ];
  expect(unreached(tally, wanted)).toEqual([]);
});
