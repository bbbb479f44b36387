import { expect, test } from 'vitest';
import {
  actOn,
  computerEnv,
  createComputerApp,
  partsOf,
  sendTask,
  stateOf,
  waitForTask,
  waitingIn,
} from '#test/computer/computer.ts';
import { callOf } from '#test/computer/played-model.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { IS_LONG } from '#test/runs.ts';
import { startServer } from '#test/server-program.ts';

test.runIf(IS_LONG)(
  'a server killed while it asks its user gives back all that was held, ends the question, and the next run begins',
  async () => {
    const home = await createComputerApp();
    const user = await home.pro();
    const server = await startServer(home, computerEnv(home.host, home.model));
    const client = server.at(user);
    const browser = async () =>
      JSON.stringify(await (await client.get('/api/catalogue')).json()).includes('"computer":"browser"');
    await expect.poll(browser).toBe(true);
    const clicks = Array.from({ length: 12 }, (_, n) => callOf('click', { x: n, y: 1 }, `n${n}`));
    home.host.play(({ args }) => ({ jpeg: null, ...(args.x === 11 ? { ask: {} } : {}) }));
    home.model.play(clicks);
    const { id } = await sendTask(client);
    const more = await waitingIn(home, id);
    expect(more.reason).toBe('more_steps');
    expect((await actOn(client, id, { act: 'allow', confirmationId: more.id })).status).toBe(200);
    await expect
      .poll(async () => (await waitingIn(home, id)).reason, { message: 'the page asks' })
      .toBe('new_site');
    const { id: confirmationId } = await waitingIn(home, id);
    const creditsOf = async () => ((await (await user.get('/api/me')).json()) as { credits: number }).credits;
    expect(await creditsOf()).toBe(10);
    server.program.process.kill('SIGKILL');
    await server.program.ended;

    const message = await waitForTask(user, id);
    expect(message).toMatchObject({ status: 'interrupted', creditsUsed: 0 });
    expect(partsOf(message, 'confirmation').map(({ state }) => state)).not.toContain('waiting');
    expect(await stateOf(user, id)).toMatchObject({ state: 'ended' });
    expect((await actOn(user, id, { act: 'allow', confirmationId })).code).toBe('confirmation_answered');
    expect(await creditsOf()).toBe(40);
    const open = await home.database.database
      .sql`select from credit.hold where user_id = ${user.userId} and state = 'held'`;
    expect(open).toHaveLength(0);
    const entries = (await (await user.get('/api/credits/entries')).json()) as { entries: object[] };
    expect(entries.entries.slice(0, 2)).toMatchObject([
      { kind: 'release', amount: 15, messageId: id },
      { kind: 'release', amount: 15, messageId: id },
    ]);
    home.model.play([callOf('click', { x: 1, y: 1 })]);
    const next = await waitForTask(user, (await sendTask(user)).id);
    expect(next).toMatchObject({ status: 'completed', creditsUsed: 15, computer: 'browser' });
    await expectNoDrift(home.database.database.sql);
    await home.close();
  },
);
