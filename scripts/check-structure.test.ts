import { describe, expect, it } from 'vitest';
import { checkStructure } from './check-structure.ts';
import { parseSource } from './structure/source-file.ts';

const NONE = { exceptions: [], nouns: {} };

/** Findings of a tiny tree as `rule path:line`. */
function findings(
  tree: Record<string, string>,
  lists: Parameters<typeof checkStructure>[1] = NONE,
): string[] {
  const files = Object.entries(tree).map(([path, text]) => parseSource(path, text));
  return checkStructure(files, lists).map(
    ({ rule, path, line }) => `${rule} ${path}${line ? `:${line}` : ''}`,
  );
}

/** Whether `path` breaks a direction by importing `specifier`. */
function faulty(path: string, specifier: string, form = 'value'): boolean {
  const text = form === 'type' ? `import type { A } from '${specifier}';` : `import '${specifier}';`;
  return findings({ [path]: `${text}\nexport const sendMessage = 1, listEntries = 1;` }).includes(
    `imports ${path}:1`,
  );
}

describe('areas', () => {
  it.each([
    ['contract/chat.ts', 'pino'],
    ['contract/chat.ts', '#server/errors.ts'],
    ['server/app.ts', '#web/lib/api.ts'],
    ['server/app.ts', '#test/app.ts'],
    ['web/lib/api.ts', '#server/errors.ts'],
    ['web/lib/api.ts', 'node:fs'],
    ['emulators/main.ts', '#server/errors.ts'],
    ['emulators/main.ts', 'hono'],
    ['e2e/chat.spec.ts', '#server/app.ts'],
    ['server/chat/list-entries.ts', '../credits/list-entries.ts'],
    ['server/app.ts', './chat/list-entries.test.ts'],
  ])('%s may not import %s', (path, specifier) => {
    expect(faulty(path, specifier)).toBe(true);
  });

  it.each([
    ['contract/chat.ts', 'zod'],
    ['server/chat/send-message.ts', '#contract/chat.ts'],
    ['server/chat/send-message.test.ts', '#test/app.ts'],
    ['server/chat/send-message.test.ts', '#emulators/gemini/gemini-emulator.ts'],
    ['server/app.ts', './chat/routes.ts'],
    ['scripts/start.ts', '#server/main.ts'],
  ])('%s may import %s', (path, specifier) => {
    expect(faulty(path, specifier)).toBe(false);
  });
});

describe('server domains', () => {
  it.each([
    ['server/credits/list-entries.ts', '#server/chat/send-message.ts'],
    ['server/chat/send-message.ts', '#server/credits/store.ts'],
    ['server/chat/send-message.ts', '#server/credits/routes.ts'],
    ['server/chat/send-message.ts', '#server/live/follow-user.ts'],
    ['server/platform/bus.ts', '#server/chat/send-message.ts'],
    ['server/platform/bus.ts', '#server/deps.ts'],
    ['server/chat/routes.ts', './store.ts'],
    ['server/chat/routes.ts', './event-store.ts'],
    ['server/chat/store.ts', './send-message.ts'],
    ['server/chat/rules.ts', './store.ts'],
    ['server/chat/send-message.ts', './routes.ts'],
    ['server/chat/send-message.ts', '#server/app.ts'],
    ['server/config.ts', '#server/chat/send-message.ts'],
  ])('%s may not import %s', (path, specifier) => {
    expect(faulty(path, specifier)).toBe(true);
  });

  it.each([
    ['server/chat/send-message.ts', '#server/credits/take-hold.ts'],
    ['server/chat/send-message.ts', './store.ts'],
    ['server/chat/store.ts', './rules.ts'],
    ['server/chat/routes.ts', './send-message.ts'],
    ['server/chat/routes.ts', '#server/platform/sse.ts'],
    ['server/openai-api/routes.ts', '#server/chat/send-message.ts'],
    ['server/deps.ts', './chat/upstream/create-upstream.ts'],
  ])('%s may import %s', (path, specifier) => {
    expect(faulty(path, specifier)).toBe(false);
  });

  it('take the type of deps but never its value', () => {
    expect(faulty('server/chat/send-message.ts', '#server/deps.ts', 'type')).toBe(false);
    expect(faulty('server/chat/send-message.ts', '#server/base-deps.ts', 'type')).toBe(false);
    expect(faulty('server/chat/send-message.ts', '#server/deps.ts')).toBe(true);
  });
});

describe('web parts', () => {
  it.each([
    ['web/ui/button.tsx', '#web/features/chat/composer.tsx', true],
    ['web/lib/api.ts', '#web/ui/button.tsx', true],
    ['web/features/chat/composer.tsx', '#web/pages/chat.tsx', true],
    ['web/features/chat/composer.tsx', '#web/features/credits/balance.tsx', true],
    ['web/features/chat/composer.tsx', '#web/features/credits/use-balance.ts', false],
    ['web/pages/chat.tsx', '#web/features/chat/composer.tsx', false],
    ['web/root.tsx', '#web/pages/chat.tsx', false],
  ])('%s importing %s is a fault: %s', (path, specifier, fault) => {
    expect(faulty(path, specifier)).toBe(fault);
  });
});

describe('names', () => {
  it.each(['server/chat/chat-utils.ts', 'web/lib/types.ts', 'server/chat/index.ts', 'server/chat/price.ts'])(
    '%s is refused',
    (path) => {
      expect(findings({ [path]: 'export const a = 1;' })).toContain(`vocabulary ${path}`);
    },
  );

  it('of a use case is the function it exports', () => {
    expect(findings({ 'server/chat/send-message.ts': 'export function sendMessage() {}' })).toEqual([]);
    expect(findings({ 'server/chat/send-message.ts': 'export function send() {}' })).toEqual([
      'vocabulary server/chat/send-message.ts',
    ]);
  });
});

describe('sizes', () => {
  const lines = (count: number) => 'x();\n'.repeat(count);

  it('has limits for files, functions, components, comments and imports', () => {
    const imports = Array.from({ length: 16 }, (_, index) => `import '#contract/a${index}.ts';\n`).join('');
    expect(
      findings({
        'server/a.ts': lines(401),
        'server/b.ts': `export function b() {\n${lines(69)}}\n`,
        'web/ui/c.tsx': `export function C() {\n${lines(118)}}\nexport const D = () => {\n${lines(119)}};\n`,
        'server/d.ts': `// 1\n// 2\n// 3\n// 4\nd();\n/**\n * 2\n * 3\n * 4\n */\nd();\n/*\n2\n3\n*/\n`,
        'server/e.ts': imports,
      }).filter((one) => !one.startsWith('file-distribution')),
    ).toEqual([
      'file-size server/a.ts',
      'function-size server/b.ts:1',
      'function-size web/ui/c.tsx:121',
      'comment-size server/d.ts:1',
      'comment-size server/d.ts:12',
      'import-count server/e.ts',
    ]);
  });

  it('counts the outermost function, by its name', () => {
    const nested = `const small = () => {\n  function inner() {\n${lines(67)}  }\n};\n`;
    expect(findings({ 'server/a.ts': nested })).toEqual([
      'function-size server/a.ts:1',
      'file-distribution .',
    ]);
  });

  it('leaves the suites of tests free', () => {
    const tree = { 'server/credits/b.test.ts': `describe(() => {\n${lines(200)}});\n` };
    expect(findings(tree)).toEqual([]);
  });
});

describe('forbidden words', () => {
  it.each([
    ['const a: any = 1;', 'any'],
    ['a!.b();', 'non-null'],
    ['export default 1;', 'default-export'],
    ['const NAME_MAX = 100;', 'bound-name'],
    ['const WAIT_LIMIT_MS = 2 * SECOND;', 'bound-name'],
    [`export { a } from './a.ts';`, 'barrel'],
    [`export * from './a.ts';\nf();`, 'barrel'],
    ['f(process.env.PORT);', 'environment'],
    ['// @ts-expect-error for now', 'comment-words'],
    ['// TODO later', 'comment-words'],
    ['await tx`select pg_notify(1, 2)`;', 'notify'],
    ["await sql.unsafe('select pg_notify(1, 2)');", 'notify'],
    ['await database.sql.notify(a, b);', 'notify'],
  ])('%s', (text, rule) => {
    expect(findings({ 'server/a.ts': text })).toContain(`${rule} server/a.ts:1`);
  });

  it('of a notification are those of the bus and of the instance', () => {
    const statement = 'await sql`select pg_notify(1, 2)`;';
    const call = 'await sql.notify(a, b);\nthis.notify();';
    const [bus, instance] = ['server/platform/database/bus.ts', 'server/platform/database/instance.ts'];
    expect(findings({ [bus]: statement, [instance]: call })).toEqual([]);
    expect(findings({ [bus]: call, [instance]: statement })).toEqual([
      `notify ${bus}:1`,
      `notify ${instance}:1`,
    ]);
  });

  it('of a bound are none in front of its name, or of a limit with several numbers', () => {
    const text = 'const MAX_NAME = 100;\nconst FORM_LIMIT = { bytes: 1, nodes: 2 };';
    expect(findings({ 'server/a.ts': text })).toEqual([]);
  });

  it('are no faults inside a string', () => {
    expect(findings({ 'server/a.ts': `f('// TODO any process.env export default a!');` })).toEqual([]);
  });

  it('leave no test out and mock no module', () => {
    const text = `it.skip('a', f);\ndescribe.only('b', f);\nvi.mock('./c.ts');\nit.each([1])('d', f);`;
    expect(findings({ 'server/a.test.ts': text })).toEqual([
      'test-left-out server/a.test.ts:1',
      'test-left-out server/a.test.ts:2',
      'module-mock server/a.test.ts:3',
    ]);
  });
});

describe('circles', () => {
  it('are found through several files, and types do not close one', () => {
    expect(
      findings({
        'server/a.ts': `import './b.ts';`,
        'server/b.ts': `import './c.ts';`,
        'server/c.ts': `import './a.ts';`,
        'server/d.ts': `import type { E } from './e.ts';`,
        'server/e.ts': `import './d.ts';`,
      }),
    ).toEqual(['cycles server/a.ts']);
  });

  it('close by types too where the dependencies are made of a file', () => {
    expect(
      findings({
        'server/deps.ts': `import { createGeneration } from './chat/generation/generation.ts';`,
        'server/chat/generation/generation.ts': `import { answer } from './run.ts';`,
        'server/chat/generation/run.ts': `import type { Deps } from '#server/deps.ts';`,
        'server/chat/send-message.ts': `import type { Deps } from '#server/deps.ts';\nexport const sendMessage = 1;`,
      }),
    ).toEqual(['cycles server/chat/generation/run.ts']);
  });
});

describe('rooms', () => {
  const filled = (room: string, count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `${room}/read-a${index}.ts`,
        `export const readA${index} = 1;`,
      ]),
    );

  it('hold twenty source files, and tests beside them', () => {
    const tree = {
      ...filled('server/chat/message-store', 20),
      'server/chat/message-store/a.test.ts': 'f();',
    };
    expect(findings(tree)).toEqual([]);
    expect(findings({ ...tree, ...filled('server/chat/message-store', 21) })).toEqual([
      'room-size server/chat/message-store',
    ]);
  });

  it.each(['import', 'import type'])(
    'of a domain have arrows one way: an `%s` back closes a circle',
    (back) => {
      const tree = {
        'server/chat/messages/list-b.ts': `import { readA } from '../message-store/read-a.ts';\nexport const listB = readA;`,
        'server/chat/message-store/read-a.ts': 'export const readA = 1;',
      };
      expect(findings(tree)).toEqual([]);
      const text = `${back} { listB } from '../messages/list-b.ts';\nexport const readC = 1;`;
      expect(findings({ ...tree, 'server/chat/message-store/read-c.ts': text })).toEqual([
        'room-arrows server/chat',
      ]);
    },
  );

  it('count the files beside them as one', () => {
    expect(
      findings({
        'web/features/chat/composer.tsx': `import { Turn } from './turn/turn.tsx';`,
        'web/features/chat/turn/turn.tsx': `import { useChat } from '../use-chat.ts';`,
        'web/features/chat/use-chat.ts': 'export const useChat = 1;',
        'web/features/credits/balance.tsx': `import { useChat } from '#web/features/chat/use-chat.ts';`,
      }),
    ).toEqual(['room-arrows web/features/chat']);
  });
});

describe('lists', () => {
  const reason = 'because';

  it('excuse what they name', () => {
    const exceptions = [{ rule: 'any', path: 'server/a.ts', reason }];
    expect(findings({ 'server/a.ts': 'const a: any = 1;' }, { ...NONE, exceptions })).toEqual([]);
  });

  it('may not name what no longer needs it', () => {
    const exceptions = [{ rule: 'any', path: 'server/a.ts', reason }];
    const lists = { exceptions, nouns: { 'server/c.ts': reason } };
    expect(findings({ 'server/a.ts': 'f();' }, lists)).toEqual(Array(2).fill('lists scripts/structure'));
  });
});
