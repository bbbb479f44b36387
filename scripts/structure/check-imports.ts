import { placeOf, rankOf, unitOf } from './places.ts';
import type { Problem, SourceFile, SourceImport } from './source-file.ts';
import { isOpenFolder, kindOf } from './vocabulary.ts';

/** Which top folders a top folder may import, itself included. */
const AREAS: Record<string, string[]> = {
  contract: ['contract'],
  i18n: ['contract', 'i18n'],
  server: ['contract', 'i18n', 'server'],
  web: ['contract', 'i18n', 'web'],
  emulators: ['emulators'],
  test: ['contract', 'i18n', 'server', 'emulators', 'test'],
  e2e: ['contract', 'i18n', 'emulators', 'test', 'e2e'],
  scripts: ['contract', 'i18n', 'server', 'emulators', 'scripts'],
  bench: ['contract', 'i18n', 'server', 'emulators', 'test', 'scripts', 'bench'],
  root: ['contract', 'i18n', 'web', 'scripts', 'test', 'root'],
};
const FOR_TESTS = ['contract', 'i18n', 'test', 'emulators'];

/** Files beside the domains that domains may read; everything else in `server/` composes, and no file imports it. */
const SERVER_BASE = ['server/errors.ts', 'server/config.ts'];
/** What use cases are given; a domain reads their types alone. */
const DEPS = ['server/base-deps.ts', 'server/deps.ts'];
const WEB_PARTS: Record<string, string[]> = {
  pages: ['pages', 'features', 'content', 'ui', 'lib'],
  content: ['content'],
  features: ['features', 'ui', 'lib'],
  ui: ['ui', 'lib'],
  lib: ['lib'],
};

/**
 * Libraries that speak a public standard, and whose other side of the wire the product does not use; and one that draws, where what it draws
 * is no part of a wire.
 */
const STANDARDS = new Set(['sharp', 'smtp-server', 'postal-mime', 'oidc-provider']);

/** Import directions of docs/architecture.md: between areas, between domains, between layers of a domain. */
export function checkImports(files: SourceFile[]): Problem[] {
  return files.flatMap((file) =>
    file.imports.flatMap((one) => {
      const text = one.target === null ? packageFault(file, one) : fileFault(file, one.target, one);
      return text ? [{ rule: 'imports', path: file.path, line: one.line, text }] : [];
    }),
  );
}

function packageFault(file: SourceFile, { specifier }: SourceImport): string | null {
  const { area } = placeOf(file.path);
  if (area === 'contract' && !file.isTest && specifier !== 'zod') {
    return `contract/ is read by both sides and imports only zod and itself; move what needs \`${specifier}\` to server/ or web/`;
  }
  if (area === 'web' && !file.isTest && specifier.startsWith('node:')) {
    return `web/ runs in the browser, which has no \`${specifier}\`; do it on the server or with a web interface`;
  }
  if (area === 'emulators' && !file.isTest && !specifier.startsWith('node:') && !STANDARDS.has(specifier)) {
    return `an emulator speaks the outside's wire by itself, without \`${specifier}\`: write the bytes from the vendor's documents`;
  }
  return null;
}

function fileFault(file: SourceFile, target: string, one: SourceImport): string | null {
  const from = placeOf(file.path);
  const to = placeOf(target);
  if (/\.(test|spec)\.tsx?$/.test(target)) return 'no file imports a test; move what is shared to test/';
  if (one.specifier.startsWith('..') && !target.startsWith(`${unitOf(file.path)}/`)) {
    return `\`${one.specifier}\` leaves ${unitOf(file.path)}/; write \`#${target}\``;
  }
  const allowed = AREAS[from.area] ?? [];
  if (!allowed.includes(to.area) && !(file.isTest && FOR_TESTS.includes(to.area))) {
    return `${from.area}/ does not import ${to.area}/ (it may import ${allowed.join(', ')}); move the shared part to one of these, or pass it in`;
  }
  if (file.isTest) return null;
  if (from.area === 'server' && to.area === 'server') return serverFault(file.path, target, one.typeOnly);
  if (from.area === 'web' && to.area === 'web') return webFault(file.path, target);
  return null;
}

function serverFault(path: string, target: string, typeOnly: boolean): string | null {
  const from = placeOf(path);
  const to = placeOf(target);
  if (from.part === null) return compositionFault(path, target, to.domain);
  if (to.part === null) {
    if (SERVER_BASE.includes(target)) return null;
    if (DEPS.includes(target) && typeOnly && from.domain) return null;
    return `${target} composes the program, and no file below imports it; take what you need as a parameter (\`import type { Deps }\` is fine in a domain)`;
  }
  if (!from.domain) {
    return to.domain
      ? `${from.part}/ knows no domain; let ${to.domain} pass the value or the function in`
      : null;
  }
  if (to.domain && to.domain !== from.domain) return domainFault(from.domain, to.domain, target);
  return to.domain ? layerFault(path, target) : null;
}

function compositionFault(path: string, target: string, domain: string | null): string | null {
  if (!domain || !SERVER_BASE.includes(path)) return null;
  const kind = kindOf(target, placeOf(target).name);
  if (kind === 'rules' || kind === 'noun') return null;
  return `${path} stands beneath every domain and reads only their rules and tables; move the value there`;
}

function domainFault(from: string, to: string, target: string): string | null {
  if (to === 'live') return 'live listens, and only server/app.ts imports it; publish on the bus instead';
  if (rankOf(to) > rankOf(from)) {
    return `domains import only leftwards and ${to} stands right of ${from}; let server/app.ts pass the function in`;
  }
  const kind = kindOf(target, placeOf(target).name);
  if (kind === 'store' || kind === 'routes' || kind === 'jobs') {
    return `between domains only use cases and rules are imported, not ${kind}; call a use case of ${to}, or write one`;
  }
  return null;
}

function layerFault(path: string, target: string): string | null {
  if (isOpenFolder(path) || isOpenFolder(target)) return null;
  const from = kindOf(path, placeOf(path).name);
  const to = kindOf(target, placeOf(target).name);
  if (from === 'routes' && to === 'store')
    return 'routes -> use case -> store: call a use case, or write one';
  if (from === 'store' && (to === 'use-case' || to === 'routes' || to === 'jobs')) {
    return 'a store speaks SQL and decides nothing: let the use case call both, or move the pure part to rules';
  }
  if (from === 'rules' && to !== 'rules' && to !== 'noun') {
    return 'rules are pure: pass the values in instead of importing what reads or writes them';
  }
  if (from !== 'routes' && to === 'routes')
    return 'only server/app.ts mounts routes; move the shared part to a use case';
  return null;
}

function webFault(path: string, target: string): string | null {
  const from = placeOf(path);
  const to = placeOf(target);
  if (from.part === null || to.part === null) return null;
  const allowed = WEB_PARTS[from.part];
  if (allowed && !allowed.includes(to.part)) {
    return `web imports go pages -> features -> ui, lib, and ${to.part}/ is not beneath ${from.part}/; move the piece down, or pass it in as a prop`;
  }
  if (from.domain && to.domain && from.domain !== to.domain && target.endsWith('.tsx')) {
    return `a feature uses another feature's queries and hooks (.ts), not its components: let the page compose ${to.name}, or move it to web/ui/`;
  }
  return null;
}
