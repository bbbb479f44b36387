import type { ClipboardEvent } from 'react';

/**
 * When a selection with formulas is copied, their TeX goes along instead of the same formula twice, as drawn and as spoken. Marks of
 * sources are left out, as they are of any selection.
 */
export function copyClean(event: ClipboardEvent<HTMLElement>): void {
  const selection = getSelection();
  if (!selection || selection.isCollapsed) return;
  const part = selection.getRangeAt(0).cloneContents();
  const formulas = part.querySelectorAll('.formula');
  if (formulas.length === 0) return;
  for (const formula of formulas) {
    const source = formula.querySelector('annotation')?.textContent ?? formula.textContent ?? '';
    const marks = formula.classList.contains('display') ? '$$' : '$';
    formula.replaceWith(`${marks}${source}${marks}`);
  }
  for (const mark of part.querySelectorAll('.source-mark')) mark.remove();
  const copy = document.createElement('div');
  copy.append(part);
  copy.className = 'answer clipboard';
  event.currentTarget.append(copy);
  // biome-ignore lint/performance/useDomNodeTextContent: the lines as they are laid out are what the reader selected.
  const text = copy.innerText;
  copy.remove();
  event.clipboardData.setData('text/plain', text);
  event.clipboardData.setData('text/html', copy.innerHTML);
  event.preventDefault();
}
