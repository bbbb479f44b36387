import type { ESTree } from 'vite';
import { placeOf } from './places.ts';
import { type Problem, type SourceFile, walk } from './source-file.ts';
import { EMPTY_WORDS, isOpenFolder, kindOf } from './vocabulary.ts';

/** File names: no empty words anywhere; in a server domain only the closed vocabulary, and a use case exports its own name. */
export function checkVocabulary(files: SourceFile[]): Problem[] {
  return files.flatMap((file) => {
    const text = nameFault(file);
    return text ? [{ rule: 'vocabulary', path: file.path, line: null, text }] : [];
  });
}

function nameFault(file: SourceFile): string | null {
  const { name, area, domain } = placeOf(file.path);
  const last = name.split(/[-.]/).at(-1) ?? '';
  if (EMPTY_WORDS.includes(last)) return `"${last}" says nothing; name the file after what it exports`;
  if (file.isTest || area !== 'server' || !domain || isOpenFolder(file.path)) return null;
  const kind = kindOf(file.path, name);
  if (kind === null) {
    return `"${name}" is no routes, store, rules, jobs, present or verb phrase; rename it by its act, or list it in scripts/structure/vocabulary.ts with the reason`;
  }
  if (kind !== 'use-case') return null;
  const expected = camel(name);
  return exportedNames(file.program).has(expected)
    ? null
    : `a use case exports the verb phrase it is named by: \`${expected}\` is missing`;
}

function camel(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** The names a module exports by declaration or by list. */
function exportedNames(program: ESTree.Program): Set<string> {
  const names = new Set<string>();
  walk(program, (node) => {
    if (node.type === 'Program') return true;
    if (node.type !== 'ExportNamedDeclaration') return false;
    for (const one of node.specifiers) if ('name' in one.exported) names.add(one.exported.name);
    const made = node.declaration;
    if (made?.type === 'VariableDeclaration') {
      for (const one of made.declarations) if (one.id.type === 'Identifier') names.add(one.id.name);
    } else if (made && 'id' in made && made.id && 'name' in made.id) names.add(made.id.name);
    return false;
  });
  return names;
}
