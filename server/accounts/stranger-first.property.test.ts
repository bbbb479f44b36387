import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AccountsApp, startAccountsApp } from '#test/accounts-app.ts';
import { checkRuns } from '#test/accounts-property.ts';
import { runsOf } from '#test/accounts-steps.ts';

let app: AccountsApp;
beforeAll(async () => {
  app = await startAccountsApp();
});
afterAll(() => app.close());

it('A1: whoever opens an account first has no way in once the owner of its mailbox has come', {
  timeout: 300_000,
}, async () => {
  const t = Date.now();
  const tally = await checkRuns(app, runsOf('a stranger was first'), 100);
  console.log(Date.now() - t, Object.fromEntries(tally));
  expect(tally.size).toBeGreaterThan(10);
});
