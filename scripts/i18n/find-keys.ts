import type { ESTree } from 'vite';
import { type SourceFile, walk } from '../structure/source-file.ts';

interface KeyUse {
  key: string;
  /** `file:line`. */
  place: string;
}

export interface KeyUses {
  /** Every plain string in the sources: a key among them counts as used. */
  strings: Set<string>;
  /** First arguments of `t('…')`. */
  calls: KeyUse[];
  /** What stands before the first `${` of a template given to `t`. */
  prefixes: KeyUse[];
}

/** Collects what sources say about keys; tests do not count as use. */
export function findKeys(files: SourceFile[]): KeyUses {
  const uses: KeyUses = { strings: new Set(), calls: [], prefixes: [] };
  for (const file of files) {
    if (file.isTest) continue;
    walk(file.program, (node) => {
      if (node.type === 'Literal' && typeof node.value === 'string') uses.strings.add(node.value);
      if (node.type === 'TemplateLiteral') addTemplate(node, uses);
      if (node.type === 'CallExpression') addCall(file, node, uses);
      return true;
    });
  }
  return uses;
}

function addTemplate(node: ESTree.TemplateLiteral, uses: KeyUses): void {
  const head = node.quasis[0]?.value.cooked ?? '';
  if (node.expressions.length === 0) uses.strings.add(head);
}

function addCall(file: SourceFile, node: ESTree.CallExpression, uses: KeyUses): void {
  if (node.callee.type !== 'Identifier' || node.callee.name !== 't') return;
  const [key] = node.arguments;
  if (!key) return;
  const place = `${file.path}:${file.lineOf(node.start)}`;
  if (key.type === 'Literal' && typeof key.value === 'string') uses.calls.push({ key: key.value, place });
  if (key.type === 'TemplateLiteral' && key.expressions.length > 0) {
    uses.prefixes.push({ key: key.quasis[0]?.value.cooked ?? '', place });
  }
}
