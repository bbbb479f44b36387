import { describe, expect, test } from 'vitest';
import { type ModelsFile, modelsFileSchema, resolveChains } from './upstream-chains.ts';

function resolve(
  modelsFile: ModelsFile | null,
  variables: Record<string, string> = {},
  geminiApiKey: string | null = 'g',
) {
  return resolveChains({
    geminiBaseUrl: 'https://gemini.test/',
    geminiApiKey,
    modelsFile,
    readVariable: (name) => variables[name],
  });
}

describe('the chains of upstream models', () => {
  test.each([
    ['parley-pro', ['gemini-4-argon']],
    ['parley-flash', ['gemini-3.8-flash']],
    ['gemini-2.5-pro', ['gemini-2.5-pro', 'gemini-3.8-flash']],
    ['gemini-2.5-flash', ['gemini-2.5-flash', 'gemini-3.5-flash-lite']],
    ['gemini-2.5-flash-lite', ['gemini-2.5-flash-lite', 'gemini-3.5-flash-lite']],
    ['gemini-computer-use', ['gemini-2.5-pro', 'gemini-3.8-flash']],
  ])('ship %s as %j', (id, models) => {
    expect(resolve(null)[id]?.map((route) => route.model)).toEqual(models);
    expect(resolve(null)[id]?.[0]).toMatchObject({
      dialect: 'gemini',
      baseUrl: 'https://gemini.test',
      apiKey: 'g',
    });
  });

  test('of the file may say `wire`, the former name of `dialect`', () => {
    const wire = modelsFileSchema.parse({ m: [{ wire: 'gemini', model: 'm' }] });
    expect(wire).toEqual(modelsFileSchema.parse({ m: [{ dialect: 'gemini', model: 'm' }] }));
    expect(
      modelsFileSchema.safeParse({ m: [{ wire: 'gemini', dialect: 'gemini', model: 'm' }] }).success,
    ).toBe(false);
  });

  test('are replaced model by model by the file', () => {
    const file = modelsFileSchema.parse({
      'parley-flash': [
        {
          dialect: 'openai-compatible',
          model: 'qwen-plus',
          baseUrl: 'https://q.test/v1/',
          keyVariable: 'QWEN',
        },
      ],
    });
    const chains = resolve(file, { QWEN: 'secret' });
    expect(chains['parley-flash']).toMatchObject([
      { model: 'qwen-plus', baseUrl: 'https://q.test/v1', apiKey: 'secret', missingSetting: null },
    ]);
    expect(chains['parley-pro']?.[0]?.model).toBe('gemini-4-argon');
  });

  test.each(['fallback', 'standby'])('know a fallback by the field %s', (field) => {
    const route = { dialect: 'gemini', model: 'm' };
    const chains = resolve(modelsFileSchema.parse({ a: [route, { ...route, [field]: true }] }));
    expect(chains.a?.map(({ fallback }) => fallback)).toEqual([false, true]);
  });

  test('name the setting that is missing', () => {
    const file = modelsFileSchema.parse({
      a: [{ dialect: 'openai-compatible', model: 'm', baseUrl: 'https://q.test', keyVariable: 'QWEN' }],
      b: [{ dialect: 'openai-compatible', model: 'llama3.3', baseUrl: 'http://localhost:11434/v1' }],
    });
    const chains = resolve(file, { QWEN: '' }, null);
    expect(chains.a?.[0]).toMatchObject({ apiKey: null, missingSetting: 'QWEN' });
    expect(chains.b?.[0]).toMatchObject({ apiKey: null, missingSetting: null });
    expect(chains['parley-pro']?.[0]?.missingSetting).toBe('GEMINI_API_KEY');
  });

  test.each([
    ['an unknown field', { dialect: 'gemini', model: 'm', modle: 1 }],
    ['no address for a provider', { dialect: 'openai-compatible', model: 'm' }],
    ['an address that is no HTTP', { dialect: 'gemini', model: 'm', baseUrl: 'file:///etc/passwd' }],
    ['a key instead of a variable’s name', { dialect: 'gemini', model: 'm', keyVariable: 'sk-abc-123' }],
  ])('refuse %s', (_name, route) => {
    expect(modelsFileSchema.safeParse({ m: [route] }).success).toBe(false);
  });

  test('refuse an empty chain', () => {
    expect(modelsFileSchema.safeParse({ m: [] }).success).toBe(false);
  });
});
