import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseSource } from '#scripts/structure/source-file.ts';
import { licenceInFiles } from './licence-rules.ts';

export interface ShippedPackage {
  name: string;
  version: string;
  /** SPDX expression; null when nothing says one. */
  licence: string | null;
  /** Where it runs. */
  where: 'server' | 'browser';
}

const packageSchema = z.looseObject({
  version: z.string().default(''),
  license: z.unknown().optional(),
  dev: z.boolean().optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});
const lockSchema = z.object({ packages: z.record(z.string(), packageSchema) });
type Packages = z.infer<typeof lockSchema>['packages'];

/** Read by the build, and in no page. */
const NOT_SHIPPED = new Set(['web/routes.ts']);

/**
 * Every package that leaves this repository in a release, by name: what `npm ci --omit=dev` installs on any platform, and what the pages
 * import with all that it needs in turn (more than the build keeps of it). `root`: a checkout with its packages installed.
 */
export function listShipped(root: string): ShippedPackage[] {
  const packages = readLock(root);
  const { server, browser } = findShipped(root, packages);
  const placed = (where: ShippedPackage['where']) => (path: string) => ({
    name: nameOf(path),
    version: packages[path]?.version ?? '',
    licence: licenceOf(root, path, packages[path]?.license) ?? licenceInFiles(nameOf(path)),
    where,
  });
  const all = [...server.map(placed('server')), ...browser.map(placed('browser'))];
  const unique = new Map(all.map((one) => [`${one.name}@${one.version}`, one]));
  return [...unique.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Where the packages of `listShipped` stand in the lock file, as `node_modules/…`. */
export function listShippedPaths(root: string): ReadonlySet<string> {
  const { server, browser } = findShipped(root, readLock(root));
  return new Set([...server, ...browser]);
}

function readLock(root: string): Packages {
  return lockSchema.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))).packages;
}

function findShipped(root: string, packages: Packages): Record<ShippedPackage['where'], string[]> {
  return {
    server: Object.keys(packages).filter((path) => path !== '' && packages[path]?.dev !== true),
    browser: reach(packages, namesInPages(root)).filter((path) => packages[path]?.dev === true),
  };
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

function licenceOf(root: string, path: string, locked: unknown): string | null {
  if (typeof locked === 'string') return locked;
  try {
    const { license } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    return typeof license === 'string' ? license : null;
  } catch {
    return null;
  }
}

/** The packages that scripts and styles of the pages name. */
function namesInPages(root: string): string[] {
  const files = globSync('web/**/*.{ts,tsx,css}', { cwd: root }).filter(
    (path) => !NOT_SHIPPED.has(path) && !/\.(test|spec)\./.test(path),
  );
  const specifiers = files.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    if (path.endsWith('.css'))
      return [...text.matchAll(/(?:@import|url\()\s*["']([^"']+)/g)].map(([, one = '']) => one);
    const { imports } = parseSource(path, text);
    return imports.filter(({ typeOnly, target }) => !typeOnly && target === null).map((one) => one.specifier);
  });
  const names = specifiers.map((one) => /^(@[\w-]+\/[\w.-]+|[\w-][\w.-]*)/.exec(one)?.[0] ?? '');
  return [...new Set(names)].filter((name) => name !== '');
}

/** Where these packages stand in the lock file, and all that they need. */
function reach(packages: Packages, names: readonly string[]): string[] {
  const open = names.map((name) => `node_modules/${name}`).filter((path) => packages[path]);
  const seen = new Set<string>();
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const { dependencies = {}, optionalDependencies = {} } = packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = resolve(packages, path, name);
      if (found) open.push(found);
    }
  }
  return [...seen];
}

/** As Node looks for a package: beside what asks for it, then ever further up. */
function resolve(packages: Packages, from: string, name: string): string | null {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('node_modules/') - 1))) {
    const path = base === '' ? `node_modules/${name}` : `${base}/node_modules/${name}`;
    if (packages[path]) return path;
    if (base === '') return null;
  }
}
