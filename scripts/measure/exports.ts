import type { SourceFile } from '../structure/source-file.ts';
import { walk } from '../structure/source-file.ts';

export interface Export {
  path: string;
  name: string;
}

const PRODUCT = /^(contract|i18n|server|web)\//;

/** Exports of the product that tests import and no source file does, in their own file or another. */
export function exportsOnlyForTests(files: SourceFile[]): Export[] {
  const bySource = new Set<string>();
  const byTests = new Set<string>();
  for (const file of files) {
    const isForTests = file.isTest || /^(test|e2e|bench)\//.test(file.path);
    for (const key of importedNames(file)) (isForTests ? byTests : bySource).add(key);
  }
  return files
    .filter((file) => !file.isTest && PRODUCT.test(file.path))
    .flatMap((file) => exportedNames(file).map((name) => ({ path: file.path, name, text: file.text })))
    .filter(({ path, name, text }) => {
      const key = `${path} ${name}`;
      return (
        byTests.has(key) && !bySource.has(key) && !bySource.has(`${path} *`) && occurrences(text, name) < 2
      );
    })
    .map(({ path, name }) => ({ path, name }));
}

function occurrences(text: string, name: string): number {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  return [...code.matchAll(new RegExp(`(?<![\\w$.])${name}(?![\\w$])`, 'g'))].length;
}

function exportedNames(file: SourceFile): string[] {
  return file.program.body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration' || !node.declaration || node.exportKind === 'type') return [];
    const { declaration } = node;
    if (declaration.type === 'VariableDeclaration') {
      return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
    }
    return 'id' in declaration && declaration.id && 'name' in declaration.id
      ? [String(declaration.id.name)]
      : [];
  });
}

/** `path name` of everything that a file imports from files of ours; `path *` for a whole module. */
function importedNames(file: SourceFile): string[] {
  const targets = new Map(file.imports.map(({ specifier, target }) => [specifier, target]));
  const found: string[] = [];
  walk(file.program, (node) => {
    if (node.type === 'ImportDeclaration') {
      const target = targets.get(node.source.value);
      for (const one of target ? node.specifiers : []) {
        const name = one.type === 'ImportSpecifier' && 'name' in one.imported ? one.imported.name : '*';
        found.push(`${target} ${name}`);
      }
    }
    if ((node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration') && node.source) {
      found.push(`${targets.get(node.source.value)} *`);
    }
    if (node.type === 'ImportExpression' && node.source.type === 'Literal') {
      found.push(`${targets.get(String(node.source.value))} *`);
    }
    return true;
  });
  return found;
}
