import { isValidElement, type ReactElement, type ReactNode } from 'react';

/** The text in what React is to draw. */
export function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(textOf).join('');
  return isValidElement(node) ? textOf((node as ReactElement<{ children?: ReactNode }>).props.children) : '';
}
