import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AccountsApp, startAccountsApp } from '#test/accounts/app.ts';
import { checkRuns, unreached } from '#test/accounts/property.ts';
import { runsOfThief } from '#test/accounts/steps.ts';
import { runs, timeoutFor } from '#test/runs.ts';

let app: AccountsApp;
beforeAll(async () => {
  app = await startAccountsApp();
});
afterAll(() => app.close());

it('A5: whoever learned the password of a proved account has no way in once its owner used a mail, and the owner has', {
  timeout: timeoutFor(600_000),
}, async () => {
  const tally = await checkRuns(app, runsOfThief(), runs(400));
  const wanted = [
    'learn the password',
    'disown the notice of a factor',
    'disown the notice of a passkey',
    'reset',
    'reset and keep own',
    'shut passkey tried',
    'connect Google',
    'shut key tried',
    'shut password tried',
    'open password tried',
    'delete the account',
    'remove a passkey',
    'turn a second factor off',
    'sign in by passkey',
  ];
  expect(unreached(tally, wanted)).toEqual([]);
});
