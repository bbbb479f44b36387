import { marked } from 'marked';
import { expect, test } from 'vitest';
import { labelCells } from './label-cells.ts';

test('each cell of a table says how its column is called', async () => {
  const html = await marked('| Name | Type |\n| - | - |\n| a | b |\n| c | d |\n\n| Code |\n| - |\n| e |\n');
  const cells = [...labelCells(html).matchAll(/<td data-column="(.*?)">(.*?)<\/td>/g)];
  expect(cells.map(([, column, text]) => `${column}: ${text}`)).toEqual([
    'Name: a',
    'Type: b',
    'Name: c',
    'Type: d',
    'Code: e',
  ]);
});
