import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig } from './config.ts';
import { ConfigError } from './platform/environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const load = (env: Record<string, string> = {}) => loadConfig({ DATA_DIR: folder, ...env });
const SECRET = 'k'.repeat(32);

function problemsOf(env: Record<string, string>): string[] {
  try {
    load(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n').slice(2);
    throw error;
  }
  return [];
}

describe('without any setting', () => {
  it('everything has a working default', () => {
    const config = load();
    expect(config).toMatchObject({
      production: false,
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://localhost:3000',
      trustedOrigins: ['http://localhost:3000', 'http://127.0.0.1:3000'],
      trustProxy: 0,
      databaseUrl: null,
      emulate: ['gemini', 'creem', 'bagelpay', 'mail', 'google'],
      limits: { prompt: 32_000, runningPerUser: 10, unansweredPerDay: 30, unchargedPerDay: 100 },
      files: {
        limitBytes: 20 * 1_048_576,
        perMessage: 10,
        quotas: { free: 100 * 1_048_576, basic: 2_048 * 1_048_576, pro: 10_240 * 1_048_576 },
        s3: null,
      },
      shutdownDeadlineMs: 20_000,
      creem: null,
      bagelpay: null,
      google: null,
      mail: null,
      metricsToken: null,
      logLevel: 'info',
    });
    expect(config.upstream).toMatchObject({
      geminiApiVersion: 'v1beta',
      timeouts: { connectMs: 10_000, firstTokenMs: 30_000, idleMs: 30_000, totalMs: 300_000 },
    });
    expect(config.brand).toMatchObject({ name: 'Parley', nameZh: '对谈', slug: 'parley' });
  });

  it('every model has the chain that decisions.md ships', () => {
    const models = Object.entries(load().upstream.chains).map(([id, chain]) => [
      id,
      chain.map(({ model }) => model),
    ]);
    expect(Object.fromEntries(models)).toMatchObject({
      'parley-pro': ['gemini-4-argon'],
      'parley-flash': ['gemini-3.8-flash'],
      'gemini-2.5-pro': ['gemini-2.5-pro', 'gemini-3.8-flash'],
      'gemini-2.5-flash': ['gemini-2.5-flash', 'gemini-3.5-flash-lite'],
      'gemini-2.5-flash-lite': ['gemini-2.5-flash-lite', 'gemini-3.5-flash-lite'],
      'gemini-computer-use': ['gemini-2.5-pro', 'gemini-3.8-flash'],
    });
  });

  it('the session secret is made once, for the owner only', () => {
    const secret = load().authSecret;
    const path = join(folder, 'auth-secret');
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(load().authSecret).toBe(secret);
    expect(readFileSync(path, 'utf8')).toBe(secret);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('the settings cannot be changed afterwards', () => {
    const config = load();
    expect(() => Object.assign(config.limits, { prompt: 1 })).toThrow(TypeError);
    expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError);
  });
});

describe('bad values', () => {
  it('are all told at once, one a line, with what was given and what is expected', () => {
    const problems = problemsOf({
      PORT: 'abc',
      PUBLIC_URL: 'https://parley.example/app',
      EMULATORS: 'maybe',
      DATABASE_URL: 'mysql://root:hunter2@db/x',
      LOG_LEVEL: 'loud',
      UPSTREAM_IDLE_TIMEOUT_MS: '-5',
      BRAND_SLUG: 'Par ley',
      TRUST_PROXY: 'true',
    });
    expect(problems.map((line) => line.trim().split('：')[0])).toEqual([
      'PORT',
      'PUBLIC_URL',
      'TRUST_PROXY',
      'EMULATORS',
      'BRAND_SLUG',
      'DATABASE_URL',
      'UPSTREAM_IDLE_TIMEOUT_MS',
      'LOG_LEVEL',
    ]);
    expect(problems[0]).toBe(
      '  PORT：现为 "abc"，应为 0 到 65535 的整数 · is "abc"; give a whole number from 0 to 65535',
    );
  });

  it.each([
    ['DATABASE_URL', 'mysql://root:hunter2@db/x'],
    ['DATABASE_DIRECT_URL', 'postgres://root:hunter2@db/x'],
    ['AUTH_SECRET', 'hunter2'],
    ['GEMINI_API_KEY', 'hunter2 with blanks'],
    ['METRICS_TOKEN', 'hunter2'],
    ['SMTP_URL', 'http://me:hunter2@mail'],
    ['SMTP_URL', 'smtps://me:100%hunter2@mail'],
  ])('never show the value of %s', (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(name);
    expect(problems[0]).not.toContain('hunter2');
  });

  it('VERIFIED_EMAIL_REQUIRED needs a way to send mail', () => {
    const required = { VERIFIED_EMAIL_REQUIRED: 'true', EMULATORS: 'off' };
    expect(problemsOf(required).join('\n')).toContain('SMTP_URL');
    expect(problemsOf({ ...required, SMTP_URL: 'smtp://mail.example' })).toEqual([]);
    expect(problemsOf({ VERIFIED_EMAIL_REQUIRED: 'true' })).toEqual([]);
    expect(problemsOf({ VERIFIED_EMAIL_REQUIRED: 'yes' })).toHaveLength(1);
  });

  it('a password of the mail server is read as it is written in an address', () => {
    expect(problemsOf({ SMTP_URL: 'smtps://me:100%25pw@mail.example' })).toEqual([]);
    expect(problemsOf({ SMTP_URL: 'smtps://me:100%pw@mail.example' })[0]).toContain('%25');
  });

  it.each(['0x10', '1e3', '3000 ', '65536', '-1', '３０００'])('PORT=%s', (value) => {
    expect(problemsOf({ PORT: value })).toHaveLength(value === '3000 ' ? 0 : 1);
  });

  it.each([
    'parley.example',
    'ftp://parley.example',
    'https://a.example/b',
    'https://a.example?x=1',
    'https://u:p@a.example',
    'https://a.example//',
  ])('PUBLIC_URL=%s', (value) => {
    expect(problemsOf({ PUBLIC_URL: value })).toHaveLength(1);
  });
});

describe('the origin that users see', () => {
  it.each([
    ['HOST', '0.0.0.0'],
    ['HOST', '::'],
    ['HOST', '192.168.1.5'],
    ['HOST', 'parley.example'],
    ['HOST', '127.0.0.1.example'],
    ['NODE_ENV', 'production'],
  ])('is asked for, with why, where %s is %s', (name, value) => {
    const problems = problemsOf({ [name]: value, PORT: '8080', LOG_LEVEL: 'loud' });
    expect(problems).toHaveLength(2);
    expect(problems[0]).toMatch(
      new RegExp(`^ {2}PUBLIC_URL：已设置 ${name}=${value}，.+ · ${name}=${value} is set`),
    );
    expect(problems[1]).toContain('LOG_LEVEL');
    expect(load({ [name]: value, PUBLIC_URL: 'http://localhost:8080' }).publicUrl).toBe(
      'http://localhost:8080',
    );
  });

  it.each(['127.0.0.1', '127.8.9.1', 'localhost', 'LOCALHOST', '::1'])(
    'has a default where HOST is %s',
    (host) => {
      expect(load({ HOST: host, PORT: '8080' }).publicUrl).toBe('http://localhost:8080');
    },
  );

  it('is one problem where it is given and wrong', () => {
    expect(problemsOf({ HOST: '0.0.0.0', PUBLIC_URL: 'parley.example' })).toEqual([
      expect.stringContaining('parley.example'),
    ]);
  });
});

describe('a public address in production', () => {
  const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://Parley.example/' };

  it('needs an AUTH_SECRET', () => {
    expect(problemsOf(production)).toEqual([expect.stringMatching(/^ {2}AUTH_SECRET：/)]);
    expect(problemsOf({ ...production, AUTH_SECRET: '   ' })).toHaveLength(1);
    expect(load({ ...production, AUTH_SECRET: SECRET }).authSecret).toBe(SECRET);
  });

  it('emulates nothing unless told to', () => {
    const env = { ...production, AUTH_SECRET: SECRET };
    expect(load(env).emulate).toEqual([]);
    const all = ['gemini', 'creem', 'bagelpay', 'mail', 'google'];
    expect(load({ ...env, EMULATORS: 'auto' }).emulate).toEqual(all);
    const here = { NODE_ENV: 'production', PUBLIC_URL: 'http://localhost:3000' };
    expect(load(here).emulate).toEqual(all);
  });

  it('hashes passwords with no less memory than is safe', () => {
    const cheap = { PASSWORD_HASH_MEMORY_KIB: '8' };
    const secret = { AUTH_SECRET: SECRET };
    const refused = [expect.stringMatching(/^ {2}PASSWORD_HASH_MEMORY_KIB：.*19456/)];
    expect(problemsOf({ ...production, ...secret, ...cheap })).toEqual(refused);
    expect(problemsOf({ NODE_ENV: 'production', PUBLIC_URL: 'http://localhost:3000', ...cheap })).toEqual(
      refused,
    );
    expect(problemsOf({ PUBLIC_URL: 'https://parley.example', ...secret, ...cheap })).toEqual(refused);
    expect(load({ ...production, ...secret }).hashing.memoryKib).toBe(19_456);
    expect(load(cheap).hashing.memoryKib).toBe(8);
  });

  it('trusts its own origin only', () => {
    expect(load({ ...production, AUTH_SECRET: SECRET }).trustedOrigins).toEqual(['https://parley.example']);
  });
});

it('an empty key is no key', () => {
  const config = load({ GEMINI_API_KEY: ' ', METRICS_TOKEN: '', CREEM_API_KEY: '' });
  expect(config.emulate).toEqual(['gemini', 'creem', 'bagelpay', 'mail', 'google']);
  expect(config.upstream.chains['parley-flash']?.[0]?.missingSetting).toBe('GEMINI_API_KEY');
  expect(config.metricsToken).toBeNull();
  expect(config.creem).toBeNull();
});

it('a key ends the emulation of its service', () => {
  const config = load({ GEMINI_API_KEY: 'secret-key', GEMINI_BASE_URL: 'http://127.0.0.1:9/' });
  expect(config.emulate).toEqual(['creem', 'bagelpay', 'mail', 'google']);
  expect(config.upstream.chains['parley-flash']?.[0]).toMatchObject({
    apiKey: 'secret-key',
    baseUrl: 'http://127.0.0.1:9',
  });
});

it('a payment provider is configured with all of its products or not at all', () => {
  expect(problemsOf({ CREEM_API_KEY: 'x' })).toHaveLength(4);
  const products = { BASIC_MONTHLY: 'a', BASIC_ANNUAL: 'b', PRO_MONTHLY: 'c', PRO_ANNUAL: 'd' };
  const env = Object.fromEntries(Object.entries(products).map(([k, v]) => [`CREEM_PRODUCT_${k}`, v]));
  expect(load({ CREEM_API_KEY: 'x', ...env }).creem).toMatchObject({
    apiKey: 'x',
    webhookSecret: null,
    products: { gemini_basic: { monthly: 'a', annual: 'b' }, gemini_pro: { monthly: 'c', annual: 'd' } },
  });
  expect(load({ CREEM_API_KEY: 'x', ...env }).emulate).toEqual(['gemini', 'bagelpay', 'mail', 'google']);
  expect(load(env)).toMatchObject({
    creem: null,
    emulate: ['gemini', 'creem', 'bagelpay', 'mail', 'google'],
  });
});

it('a captcha needs its provider, its site key and its secret', () => {
  const whole = { CAPTCHA_PROVIDER: 'hcaptcha', CAPTCHA_SITE_KEY: 'site', CAPTCHA_SECRET: 'hidden' };
  const settings = { provider: 'hcaptcha', siteKey: 'site', secret: 'hidden', baseUrl: null };
  expect(load(whole).captcha).toEqual(settings);
  expect(load({}).captcha).toBeNull();
  for (const missing of ['CAPTCHA_SITE_KEY', 'CAPTCHA_SECRET'])
    expect(problemsOf({ ...whole, [missing]: '' })).toEqual([expect.stringContaining(missing)]);
  expect(problemsOf({ ...whole, CAPTCHA_PROVIDER: 'another' })).toEqual([
    expect.stringContaining('CAPTCHA_PROVIDER'),
  ]);
});

it('Google needs its two settings together', () => {
  expect(problemsOf({ GOOGLE_CLIENT_ID: 'x' })).toEqual([expect.stringContaining('GOOGLE_CLIENT_SECRET')]);
  expect(load({ GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'y' }).google?.issuer).toBe(
    'https://accounts.google.com',
  );
});

describe('MODELS_FILE', () => {
  let files = 0;
  const file = (content: unknown) => {
    const path = join(folder, `${++files}.json`);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return { MODELS_FILE: path };
  };
  const deepseek = {
    dialect: 'openai-compatible',
    baseUrl: 'https://api.deepseek.example/v1',
    keyVariable: 'DEEPSEEK_KEY',
    model: 'deepseek-chat',
    contextTokens: 128_000,
  };

  it('replaces the chains of the models it names, with keys from the variables it names', () => {
    const { chains } = load({ ...file({ 'parley-flash': [deepseek] }), DEEPSEEK_KEY: 'k' }).upstream;
    expect(chains['parley-flash']).toMatchObject([{ dialect: 'openai-compatible', apiKey: 'k' }]);
    expect(chains['gemini-2.5-pro']).toHaveLength(2);
  });

  it.each([
    ['is missing', { MODELS_FILE: join(folder, 'nothing.json') }, 'no such file'],
    ['is not JSON', file('{'), 'JSON'],
  ])('that %s is refused', (_, env, words) => {
    expect(problemsOf(env)).toEqual([expect.stringContaining(words)]);
  });

  it('with a fault in a route is refused, naming the place', () => {
    const { baseUrl: _, ...without } = deepseek;
    expect(problemsOf(file({ 'parley-flash': [without] }))[0]).toContain('parley-flash.0.baseUrl');
    expect(problemsOf(file({ 'parley-flash': [] }))).toHaveLength(1);
    expect(problemsOf(file({ 'gpt-9': [deepseek] }))[0]).toContain('gpt-9');
  });
});

describe('PROVIDER_PRICES_FILE', () => {
  const file = (content: unknown) => {
    const path = join(folder, 'prices.json');
    writeFileSync(path, JSON.stringify(content));
    return { PROVIDER_PRICES_FILE: path };
  };

  it('says what upstream models cost', () => {
    const prices = [{ from: '2026-11-01', input: 0.28, cachedInput: 0.028, output: 0.42 }];
    const { chains } = load(file({ 'gemini-3.8-flash': prices })).upstream;
    expect(chains['parley-flash']?.[0]?.prices).toEqual(prices);
    expect(chains['parley-pro']?.[0]?.prices).toHaveLength(2);
  });

  it('with a fault is refused, naming the place', () => {
    expect(problemsOf(file({ 'gemini-3.8-flash': [{ from: 'soon', input: 1, output: 1 }] }))).toEqual([
      expect.stringContaining('gemini-3.8-flash.0.from'),
    ]);
    expect(problemsOf({ PROVIDER_PRICES_FILE: join(folder, 'nothing.json') })).toHaveLength(1);
  });

  it.each([
    '{"__proto__": [{"from": "2026-11-01", "input": 1, "output": 1}]}',
    '{"gemini-3.8-flash": [{"from": "2026-11-01", "input": 1, "output": 1, "__proto__": {}}]}',
    '{"gemini-3.8-flash": [{"from": "2026-11-01", "input": 1, "output": 1, "picture": {"__proto__": 1}}]}',
  ])('with a name that would be dropped is refused: %s', (text) => {
    const path = join(folder, 'proto.json');
    writeFileSync(path, text);
    expect(problemsOf({ PROVIDER_PRICES_FILE: path })).toEqual([expect.stringContaining('__proto__')]);
  });

  it('may name models that no route uses, which are told', () => {
    const prices = [{ from: '2026-11-01', input: 1, output: 1 }];
    const named = file({ 'gemini-4-argan': prices, 'gemini-4-argon': prices, constructor: prices });
    expect(load(named).upstream.unusedPrices).toEqual(['gemini-4-argan', 'constructor']);
    expect(load().upstream.unusedPrices).toEqual([]);
  });
});

it('.env.example names every setting, and its values are the defaults', () => {
  const lines = readFileSync(new URL('../.env.example', import.meta.url), 'utf8').split('\n');
  const settings = lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.split('=', 2));
  const asked: string[] = [];
  const spy = new Proxy<Record<string, string>>(
    {},
    {
      get: (_, name) => {
        asked.push(String(name));
        return name === 'DATA_DIR' ? folder : undefined;
      },
    },
  );
  const defaults = loadConfig(spy);
  const named = settings.map(([name = '']) => name);
  expect([...new Set(asked)].filter((name) => name !== 'NODE_ENV').sort()).toEqual(named.sort());
  expect(load({ ...Object.fromEntries(settings), DATA_DIR: folder })).toEqual(defaults);
});

describe('files in S3', () => {
  const S3 = {
    FILES_S3_ENDPOINT: 'https://s3.example.com/',
    FILES_S3_BUCKET: 'parley',
    FILES_S3_ACCESS_KEY: 'access',
    FILES_S3_SECRET_KEY: 'secret',
  };

  it('have an endpoint, a bucket, two keys and a region', () => {
    expect(load(S3).files.s3).toEqual({
      endpoint: 'https://s3.example.com',
      bucket: 'parley',
      region: 'us-east-1',
      accessKey: 'access',
      secretKey: 'secret',
    });
    expect(load({ ...S3, FILES_S3_REGION: 'auto' }).files.s3?.region).toBe('auto');
  });

  it.each(Object.keys(S3))('need %s', (name) => {
    const problems = problemsOf({ ...S3, [name]: '' });
    expect(problems.join()).toContain(name);
  });
});
