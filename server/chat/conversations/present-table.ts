import type { Language } from '#contract/choices.ts';
import { composeAddress, composeLine } from '#contract/message/compose-line.ts';
import type { TablePart } from '#contract/message/parts.ts';
import { translate } from '#server/platform/translate.ts';

/** A table of a page in Markdown, with its title, what it is cut to, and its address above it. */
export function presentTable({ n, title, url, hasHead, isCut, rows }: TablePart, language: Language): string {
  const name = composeLine(title) || translate(language, 'computer.tables.name', { n });
  const about = [
    `**${name}**`,
    ...(isCut ? [translate(language, 'computer.tables.cut')] : []),
    ...(url === '' ? [] : [composeAddress(url)]),
  ];
  const blank = (rows[0] ?? []).map(() => '');
  const [head = [], ...body] = hasHead ? rows : [blank, ...rows];
  const lines = [head.map(writeCell), blank.map(() => '---'), ...body.map((row) => row.map(writeCell))];
  return `${about.join(' · ')}\n\n${lines.map(writeRow).join('\n')}`;
}

function writeRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function writeCell(text: string): string {
  return composeLine(text).replaceAll('|', '\\|');
}
