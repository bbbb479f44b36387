import { csvLine, UTF8_MARK } from '../csv-line.ts';
import type { TablePart } from './parts.ts';

/** A table of a page as a file in CSV, in which nothing is a formula, as it is downloaded and kept. */
export function writeTable({ title, url, rows }: TablePart): { name: string; text: string } {
  const name = title.replace(/[\\/:*?"<>|\s]+/g, ' ').trim() || URL.parse(url)?.hostname || 'table';
  return { name: `${name}.csv`, text: UTF8_MARK + rows.map(csvLine).join('') };
}
