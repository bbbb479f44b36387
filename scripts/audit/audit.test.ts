import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startChild } from '#test/child-program.ts';
import { IS_LONG, inTurn } from '#test/runs.ts';
import { isAllowed } from './licence-rules.ts';
import { listShipped } from './list-shipped.ts';

describe('what ships', () => {
  it.runIf(IS_LONG)(
    'is what production installs and what pages are made of, and nothing of the tools',
    () => {
      const shipped = new Map(listShipped('.').map((one) => [one.name, one]));
      for (const name of ['hono', 'postgres', 'sharp', '@img/sharp-libvips-linux-x64'])
        expect(shipped.get(name)?.where).toBe('server');
      for (const name of [
        'react',
        'mermaid',
        'd3-selection',
        'katex',
        'highlight.js',
        '@fontsource/newsreader',
        'tailwindcss',
      ])
        expect(shipped.get(name)?.where).toBe('browser');
      for (const name of ['vite', 'vitest', 'typescript', '@react-router/dev', 'oidc-provider', 'fast-check'])
        expect(shipped.has(name)).toBe(false);
    },
  );

  it.runIf(IS_LONG)('has licences that are allowed', () => {
    expect(listShipped('.').filter(({ name, licence }) => !isAllowed(name, licence))).toEqual([]);
  });
});

it.each<[string, string | null, boolean]>([
  ['a', 'MIT', true],
  ['a', 'GPL-3.0-only', false],
  ['a', 'AGPL-3.0-or-later', false],
  ['a', 'LGPL-3.0-or-later', false],
  ['@img/sharp-libvips-linux-x64', 'LGPL-3.0-or-later', true],
  ['@img/sharp-wasm32', 'Apache-2.0 AND LGPL-3.0-or-later AND MIT', true],
  ['a', '(MPL-2.0 OR Apache-2.0)', true],
  ['a', 'MIT AND GPL-2.0-only', false],
  ['a', 'MIT OR GPL-2.0-only', true],
  ['a', '(MIT OR GPL-2.0-only) AND SSPL-1.0', false],
  ['a', 'MIT (see LICENSE)', false],
  ['a', '(MIT', false],
  ['a', 'MIT OR', false],
  ['a', 'OR MIT', false],
  ['a', 'SEE LICENSE IN LICENSE.md', false],
  ['a', 'UNLICENSED', false],
  ['a', '', false],
  ['a', null, false],
])('%s under %s is allowed: %s', (name, licence, allowed) => {
  expect(isAllowed(name, licence)).toBe(allowed);
});

describe('npm run audit', () => {
  let folder: string;
  let registry: Server | null = null;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-audit-'));
  });
  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await new Promise((closed) => (registry ? registry.close(closed) : closed(null)));
    registry = null;
  });

  function write(path: string, content: unknown) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  }

  /** A checkout with one package in production and one that only tools or pages need. */
  function checkout(licences: { shipped: string; tool: string }, page = '') {
    const wanted = { dependencies: { shipped: '1.0.0' }, devDependencies: { tool: '1.0.0' } };
    write('package.json', { name: 'checkout', version: '1.0.0', ...wanted });
    write('package-lock.json', {
      name: 'checkout',
      version: '1.0.0',
      lockfileVersion: 3,
      packages: {
        '': { name: 'checkout', version: '1.0.0', ...wanted },
        'node_modules/shipped': { version: '1.0.0', license: licences.shipped },
        'node_modules/tool': { version: '1.0.0', license: licences.tool, dev: true },
      },
    });
    write('web/page.ts', page);
  }

  /** A registry whose advisory service answers so; it knows one version of each package. */
  async function serve(status: number, advisories: unknown = {}) {
    const asked: string[] = [];
    registry = createServer((request, response) => {
      const { method, url = '' } = request;
      asked.push(`${method} ${url}`);
      request.resume().on('end', () => {
        const name = url.slice(1);
        const isService = url.startsWith('/-/');
        const known = {
          name,
          'dist-tags': { latest: '1.0.0' },
          versions: { '1.0.0': { name, version: '1.0.0' } },
        };
        response.writeHead(isService ? status : 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(isService ? advisories : known));
      });
    });
    await new Promise<void>((listening) => registry?.listen(0, '127.0.0.1', listening));
    const address = registry.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    return { url: `http://127.0.0.1:${port}/`, asked };
  }

  async function audit(registryUrl: string) {
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      npm_execpath: process.env.npm_execpath,
      npm_config_registry: registryUrl,
      npm_config_cache: join(folder, 'cache'),
      npm_config_fetch_retries: '0',
    };
    const program = startChild(process.execPath, [resolve('scripts/audit.ts')], { cwd: folder, env });
    program.process.stdin?.end();
    return { code: await program.ended, output: program.output() };
  }

  const FREE = { shipped: 'MIT', tool: 'GPL-3.0-only' };

  it.runIf(IS_LONG).each([404, 405, 501])(
    'says that a registry answering %i has no advisory service, with an exit code of its own',
    async (status) => {
      checkout(FREE);
      const { url, asked } = await serve(status);
      const { code, output } = await audit(url);
      expect(asked).toContain('POST /-/npm/v1/security/advisories/bulk');
      expect(output).toContain('未检查：该软件源没有公告服务');
      expect(output).toContain('Not checked: this registry has no advisory service');
      expect(output).toContain(String(status));
      expect(code).toBe(3);
    },
  );

  it.runIf(IS_LONG)('says that nothing was checked where no registry answers', async () => {
    checkout(FREE);
    const { code, output } = await audit('http://127.0.0.1:9/');
    expect(output).toContain('Not checked: the registry gave no answer');
    expect(code).toBe(3);
  });

  it.runIf(IS_LONG)('finds nothing where the registry knows no advisory', async () => {
    checkout(FREE);
    const { url } = await serve(200);
    const { code, output } = await audit(url);
    expect(output).toContain('No advisory concerns');
    expect(code).toBe(0);
  });

  const advisoryOf = (name: string) => ({
    [name]: [
      {
        id: 1,
        url: 'https://example.test/GHSA-1',
        title: 'Reads what it should not',
        severity: 'high',
        vulnerable_versions: '<2.0.0',
        cwe: [],
        cvss: { score: 0, vectorString: null },
      },
    ],
  });

  const advisories: [string, string, string][] = [
    ['in production', 'shipped', ''],
    ['in a page', 'tool', "import 'tool';"],
  ];
  it.each(inTurn(advisories, 0, 2))(
    'tells an advisory of what ships %s, and fails',
    async (_, name, page) => {
      checkout({ shipped: 'MIT', tool: 'MIT' }, page);
      const { url } = await serve(200, advisoryOf(name));
      const { code, output } = await audit(url);
      expect(output).toMatch(
        new RegExp(`${name} \\S+ \\(high\\): Reads what it should not https://example\\.test/GHSA-1`),
      );
      expect(code).toBe(1);
    },
  );

  it.runIf(IS_LONG)('leaves out what only the tools need', async () => {
    checkout(FREE);
    const { url } = await serve(200, advisoryOf('tool'));
    const { code, output } = await audit(url);
    expect(output).toContain('No advisory concerns');
    expect(code).toBe(0);
  });

  const licences: [string, typeof FREE, string, string][] = [
    ['in production', { shipped: 'GPL-3.0-only', tool: 'MIT' }, '', 'shipped@1.0.0 (server): GPL-3.0-only'],
    ['in a page', FREE, "import 'tool';", 'tool@1.0.0 (browser): GPL-3.0-only'],
  ];
  it.runIf(IS_LONG).each(licences)(
    'fails for a licence that is not allowed %s, whatever the registry knows',
    async (_, given, page, words) => {
      checkout(given, page);
      const { url } = await serve(404);
      const { code, output } = await audit(url);
      expect(output).toContain(`Not allowed: ${words}`);
      expect(code).toBe(1);
    },
  );
});
