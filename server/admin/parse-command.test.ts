import { describe, expect, it } from 'vitest';
import { parseCommand, UsageError } from './parse-command.ts';

describe('what an operator types', () => {
  it.each([
    [[]],
    [['frobnicate']],
    [['toString']],
    [['user']],
    [['user', 'a', 'b']],
    [['grant', 'a@example.test', '5', '--days', '3']],
    [['grant', 'a@example.test', '5', '--days', '3', '--reason', '  ']],
    [['grant', 'a@example.test', '5', '--reason', 'x']],
    [['grant', 'a@example.test', '1.5', '--days', '3', '--reason', 'x']],
    [['grant', 'a@example.test', '5', '--days', '0', '--reason', 'x']],
    [['take', 'a@example.test', '0', '--reason', 'x']],
    [['take', 'a@example.test', '1000001', '--reason', 'x']],
    [['refund', 'a@example.test', 'creem:tran_1', '--reason', 'x']],
    [['compare', 'x', '--apply']],
    [['inbox', '--status', 'odd']],
    [['inbox', '--limit', 'many']],
    [['replay', 'abc']],
    [['backup', '']],
    [['restore', 'folder', '--apply']],
    [['orders', '--status', 'done']],
    [['drift', '--status', 'new']],
    [['users']],
    [['pause-model']],
    [['pause-model', 'parley-flash', '--apply']],
    [['resume-model', 'parley-flash']],
    [['drift', '--frobnicate']],
    [['margin', '--from', '2026-02-30']],
    [['margin', '--to', 'today']],
    [['margin', '--from', '2026-11-02', '--to', '2026-11-01']],
  ])('is refused with its usage: %j', (argv) => {
    expect(() => parseCommand(argv)).toThrow(UsageError);
    expect(() => parseCommand(argv)).toThrow(/用法 Usage:\n {2}npm run admin -- /);
  });

  it('is understood in any order of its parts', () => {
    const command = parseCommand([
      'grant',
      '--days',
      '3',
      'a@example.test',
      '--reason',
      ' goodwill ',
      '5',
      '--actor',
      'ann',
    ]);
    const expected = {
      name: 'grant',
      positionals: ['a@example.test', '5'],
      days: 3,
      reason: 'goodwill',
      actor: 'ann',
    };
    expect(command).toMatchObject(expected);
    expect(parseCommand(['inbox'])).toMatchObject({ status: null, limit: 50, actor: null });
  });
});
