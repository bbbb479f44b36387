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

it('A2: what an owner sets up stays good until they change it, and ends everywhere when they do', {
  timeout: timeoutFor(600_000),
}, async () => {
  const tally = await checkRuns(app, runsOf('the owner was first'), runs(500));
  const wanted = [
    'verify the address',
    'change the password',
    'turn a second factor on',
    'confirm identity',
    'open passkey tried',
    'open password tried',
    'shut session tried',
    'shut reset link tried',
    'delete the account',
    'remove a passkey',
    'turn a second factor off',
    'sign in by passkey',
    'disconnect Google',
    'revoke a key',
  ];
  expect(unreached(tally, wanted)).toEqual([]);
});
