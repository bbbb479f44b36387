import { describe, expect, test } from 'vitest';
import { type ModelsFile, modelsFileSchema, resolveModelRoutes } from './model-routes.ts';

function resolve(
  modelsFile: ModelsFile | null,
  variables: Record<string, string> = {},
  geminiApiKey: string | null = 'g',
) {
  return resolveModelRoutes({
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
      wire: 'gemini',
      baseUrl: 'https://gemini.test',
      apiKey: 'g',
    });
  });

  test('are replaced model by model by the file', () => {
    const file = modelsFileSchema.parse({
      'parley-flash': [
        { wire: 'openai-compatible', model: 'qwen-plus', baseUrl: 'https://q.test/v1/', keyVariable: 'QWEN' },
      ],
    });
    const routes = resolve(file, { QWEN: 'secret' });
    expect(routes['parley-flash']).toMatchObject([
      { model: 'qwen-plus', baseUrl: 'https://q.test/v1', apiKey: 'secret', missingSetting: null },
    ]);
    expect(routes['parley-pro']?.[0]?.model).toBe('gemini-4-argon');
  });

  test.each(['fallback', 'standby'])('know a fallback by the field %s', (field) => {
    const route = { wire: 'gemini', model: 'm' };
    const routes = resolve(modelsFileSchema.parse({ a: [route, { ...route, [field]: true }] }));
    expect(routes.a?.map(({ fallback }) => fallback)).toEqual([false, true]);
  });

  test('name the setting that is missing', () => {
    const file = modelsFileSchema.parse({
      a: [{ wire: 'openai-compatible', model: 'm', baseUrl: 'https://q.test', keyVariable: 'QWEN' }],
      b: [{ wire: 'openai-compatible', model: 'llama3.3', baseUrl: 'http://localhost:11434/v1' }],
    });
    const routes = resolve(file, { QWEN: '' }, null);
    expect(routes.a?.[0]).toMatchObject({ apiKey: null, missingSetting: 'QWEN' });
    expect(routes.b?.[0]).toMatchObject({ apiKey: null, missingSetting: null });
    expect(routes['parley-pro']?.[0]?.missingSetting).toBe('GEMINI_API_KEY');
  });

  test.each([
    ['an unknown field', { wire: 'gemini', model: 'm', modle: 1 }],
    ['no address for a provider', { wire: 'openai-compatible', model: 'm' }],
    ['an address that is no HTTP', { wire: 'gemini', model: 'm', baseUrl: 'file:///etc/passwd' }],
    ['a key instead of a variable’s name', { wire: 'gemini', model: 'm', keyVariable: 'sk-abc-123' }],
  ])('refuse %s', (_name, route) => {
    expect(modelsFileSchema.safeParse({ m: [route] }).success).toBe(false);
  });

  test('refuse an empty chain', () => {
    expect(modelsFileSchema.safeParse({ m: [] }).success).toBe(false);
  });
});
