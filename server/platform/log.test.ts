import { expect, it } from 'vitest';
import { createLog } from './log.ts';
import { noteAbout, requestContext, runAbout, runApart } from './telemetry/request-context.ts';

/** What a logger wrote while `act` used it. */
function written(act: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  act(createLog('trace', { write: (line) => lines.push(line) }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

it('an error is logged by fields that quote nothing, and without addresses', () => {
  const error = Object.assign(new Error('550 <ada@example.test> is refused'), {
    code: 'EENVELOPE',
    rejected: ['ada@example.test'],
    detail: 'Failing row contains (a prompt).',
    facts: { kept: 'an answer' },
  });
  const [line] = written((log) => log.warn({ err: error }, 'a mail was not sent'));
  expect(line?.err).toMatchObject({
    type: 'Error',
    code: 'EENVELOPE',
    message: '550 <[address]> is refused',
  });
  expect(JSON.stringify(line)).not.toMatch(/ada@|a prompt|an answer/);
  expect(error.detail).toContain('a prompt');
});

it('the stack of an error keeps the files of packages', () => {
  const error = new Error('broken');
  error.stack = 'Error: broken\n    at call (/app/node_modules/@hono/node-server/dist/index.js:1:2)';
  const [line] = written((log) => log.error({ err: error }, 'broken'));
  expect(line?.err).toMatchObject({ stack: error.stack });
});

it('a statement that failed is logged by its cause, which its parameters are not in', () => {
  const cause = Object.assign(new Error('no such table'), { code: '42P01' });
  const [line] = written((log) =>
    log.error({ err: new Error('Failed query: params: a prompt', { cause }) }, 'x'),
  );
  expect(line?.err).toMatchObject({ code: '42P01', message: 'no such table' });
  expect(JSON.stringify(line)).not.toContain('a prompt');
});

it('a line says what it is about, what is known later included, unless it says so itself', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  log.info('before');
  await runAbout({ requestId: 'r' }, async () => {
    await Promise.resolve();
    noteAbout({ userId: 'u' });
    runAbout({ messageId: 'm' }, () => log.info('within'));
    log.info({ userId: 'other' }, 'its own');
    runApart(() => log.info('apart'));
  });
  noteAbout({ userId: 'nobody' });
  expect(requestContext()).toBeUndefined();
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.not.objectContaining({ requestId: 'r' }),
    expect.objectContaining({ msg: 'within', requestId: 'r', userId: 'u', messageId: 'm' }),
    expect.objectContaining({ msg: 'its own', requestId: 'r', userId: 'other' }),
    expect.not.objectContaining({ requestId: 'r' }),
  ]);
});
