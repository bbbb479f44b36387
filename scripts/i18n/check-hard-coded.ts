import type { ESTree } from 'vite';
import { type SourceFile, walk } from '../structure/source-file.ts';
import { CJK, type TextProblem } from './texts.ts';

const SEEN_ATTRIBUTES = /^(aria-label|aria-description|alt|label|placeholder|title)$/;

/** Texts that people see written into the front end instead of the dictionaries: words in JSX, Chinese anywhere. */
export function checkHardCoded(files: SourceFile[]): TextProblem[] {
  return files
    .filter((file) => file.path.startsWith('web/') && !file.isTest)
    .flatMap((file) => {
      const problems: TextProblem[] = [];
      walk(file.program, (node) => {
        const text = hardCodedText(node);
        if (text !== null) {
          const place = `${file.path}:${file.lineOf(node.start)}`;
          problems.push({
            place,
            text: `“${text.trim()}” is written into the code; give it a key in both languages`,
          });
        }
        return true;
      });
      return problems;
    });
}

function hardCodedText(node: ESTree.Node): string | null {
  if (node.type === 'JSXText') return /\p{L}/u.test(node.value) ? node.value : null;
  if (node.type === 'JSXAttribute') {
    const text = node.value?.type === 'Literal' ? String(node.value.value) : '';
    return SEEN_ATTRIBUTES.test(String(node.name.name)) && /\p{L}/u.test(text) && !CJK.test(text)
      ? text
      : null;
  }
  if (node.type === 'TemplateElement') return CJK.test(node.value.raw) ? node.value.raw : null;
  return node.type === 'Literal' && typeof node.value === 'string' && CJK.test(node.value)
    ? node.value
    : null;
}
