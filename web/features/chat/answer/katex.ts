import katex from 'katex';
import 'katex/dist/katex.min.css';

/** Draws a formula in an element, with MathML for those who listen; false where it is no TeX that KaTeX knows. */
export function drawFormula(element: HTMLElement, formula: string, display: boolean): boolean {
  try {
    const options = {
      displayMode: display,
      trust: false,
      strict: 'ignore',
      maxExpand: 500,
      maxSize: 40,
    } as const;
    katex.render(formula, element, { ...options, throwOnError: true, output: 'htmlAndMathml' });
    return true;
  } catch {
    return false;
  }
}
