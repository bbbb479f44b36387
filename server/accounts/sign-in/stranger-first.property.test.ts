import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AccountsApp, startAccountsApp } from '#test/accounts/app.ts';
import { checkRuns, unreached } from '#test/accounts/property.ts';
import { runsOf } from '#test/accounts/steps.ts';
import { runs, timeoutFor } from '#test/runs.ts';

let app: AccountsApp;
beforeAll(async () => {
  app = await startAccountsApp();
});
afterAll(() => app.close());

it('A1: whoever opens an account first has no way in once the owner of its mailbox has come', {
  timeout: timeoutFor(600_000),
}, async () => {
  const tally = await checkRuns(app, runsOf('a stranger was first'), runs(38, 2_500));
  const wanted = [
    'reset',
    'sign in by google',
    'say that it was not me',
    'shut passkey tried',
    'shut key tried',
    'shut session tried',
    'shut password tried',
    'open password tried',
    'delete the account',
    'sign in by passkey',
  ];
  const seldom = ['remove a passkey', 'turn a second factor off', 'revoke a key'];
  expect(unreached(tally, wanted, seldom)).toEqual([]);
});
