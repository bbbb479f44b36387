import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AccountsApp, startAccountsApp } from '#test/accounts/app.ts';
import { checkRuns, unreached } from '#test/accounts/property.ts';
import { runsOfGuesses } from '#test/accounts/steps.ts';
import { runs, timeoutFor } from '#test/runs.ts';

let app: AccountsApp;
beforeAll(async () => {
  app = await startAccountsApp();
});
afterAll(() => app.close());

it('A4: no number of wrong guesses shuts an owner out', { timeout: timeoutFor(600_000) }, async () => {
  const tally = await checkRuns(app, runsOfGuesses(), runs(110));
  const wanted = ['guess passwords', 'open password tried', 'open session tried', 'reset'];
  expect(unreached(tally, wanted)).toEqual([]);
});
