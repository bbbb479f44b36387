import { z } from 'zod';

const MAX_TEXT = 20_000;
const MAX_TABLES = 20;
const MAX_ROWS = 200;
const MAX_CELLS = 30;
const MAX_CELL = 300;

/** Evaluated in a world of its own in the page: its text as it is shown, and its tables. */
export const READ_PAGE = `(() => {
  const plain = (text, length) => (text ?? '').replace(/\\s+/g, ' ').trim().slice(0, length);
  const cells = (row) => [...row.cells].slice(0, ${MAX_CELLS}).map((cell) => plain(cell.innerText, ${MAX_CELL}));
  const rows = (table) => [...table.rows].slice(0, ${MAX_ROWS}).map(cells);
  return {
    text: (document.body?.innerText ?? '').slice(0, ${MAX_TEXT}),
    tables: [...document.querySelectorAll('table')].slice(0, ${MAX_TABLES}).map(rows),
  };
})()`;

const pageSchema = z.object({
  text: z.string().max(MAX_TEXT),
  tables: z.array(z.array(z.array(z.string().max(MAX_CELL)).max(MAX_CELLS)).max(MAX_ROWS)).max(MAX_TABLES),
});

/** What `READ_PAGE` answered; empty where a page answers something else. */
export function parsePage(value: unknown): z.infer<typeof pageSchema> {
  const parsed = pageSchema.safeParse(value);
  return parsed.success ? parsed.data : { text: '', tables: [] };
}
