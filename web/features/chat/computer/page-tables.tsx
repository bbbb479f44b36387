import { Download } from 'lucide-react';
import type { Message } from '#contract/chat.ts';
import type { TablePart } from '#contract/message/parts.ts';
import { writeTable } from '#contract/message/write-table.ts';
import { saveText } from '#web/lib/export/save-text.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { Fold } from '#web/ui/text/fold.tsx';
import { KeepButton } from './keep-button.tsx';
import { useKept } from './use-kept.ts';

interface PageTablesProps {
  message: Message;
  tables: readonly TablePart[];
}

/** The tables of the page that a browser run ended on, each folded until its reader wants it. */
export function PageTables({ message, tables }: PageTablesProps) {
  const { t } = useTranslation('common');
  return (
    // No landmark: a conversation may have many.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form.
    <div role="group" aria-label={t('computer.tables.title')} className="mt-4 text-sm">
      <p className="text-soft">{t('computer.tables.title')}</p>
      <ul>
        {tables.map((table) => (
          <li key={table.n}>
            <FoldedTable message={message} table={table} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function FoldedTable({ message, table }: { message: Message; table: TablePart }) {
  const { t } = useTranslation('common');
  const { n, title, hasHead, isCut, rows } = table;
  const size = { rows: rows.length - (hasHead ? 1 : 0), columns: rows[0]?.length ?? 0 };
  const about = [t('computer.tables.size', size), ...(isCut ? [t('computer.tables.cut')] : [])];
  return (
    <Fold
      className="mb-3"
      label={
        <span className="flex flex-wrap items-baseline gap-x-2">
          <span dir="auto" className="text-ink wrap-anywhere">
            {title || t('computer.tables.name', { n })}
          </span>
          <span className="tabular-nums">{about.join(' · ')}</span>
        </span>
      }
    >
      <OpenTable message={message} table={table} />
    </Fold>
  );
}

function OpenTable({ message, table }: { message: Message; table: TablePart }) {
  const { t } = useTranslation('common');
  const kept = useKept(message);
  const { name, text } = writeTable(table);
  return (
    <div>
      <TableRows table={table} />
      {table.url === '' ? null : <p className="mt-2 text-soft wrap-anywhere">{table.url}</p>}
      <div className="mt-1 -ml-2 flex flex-wrap items-center gap-x-1">
        <Button
          variant="quiet"
          size="small"
          aria-label={t('computer.tables.downloadOf', { name })}
          onClick={() => saveText(name, text, 'text/csv')}
          className="whitespace-nowrap pointer-coarse:min-h-11"
        >
          <Download aria-hidden size={16} strokeWidth={1.5} className="shrink-0" />
          {t('computer.tables.download')}
        </Button>
        <KeepButton
          thing={{ what: 'table', n: table.n }}
          kept={kept}
          text={t('computer.keep.file')}
          label={t('computer.keep.fileOf', { name })}
        />
      </div>
    </div>
  );
}

/** As tables of an answer are drawn; what the page said is text. */
function TableRows({ table: { n, title, hasHead, rows } }: { table: TablePart }) {
  const { t } = useTranslation('common');
  const head = hasHead ? rows[0] : undefined;
  return (
    <div className="answer">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard too. */}
      <div className="table" tabIndex={0}>
        <table aria-label={title || t('computer.tables.name', { n })}>
          {head ? (
            <thead>
              <tr>
                {head.map((cell, place) => {
                  const Cell = cell === '' ? 'td' : 'th';
                  return (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place.
                    <Cell key={place} dir="auto">
                      {cell}
                    </Cell>
                  );
                })}
              </tr>
            </thead>
          ) : null}
          <tbody>
            {rows.slice(head ? 1 : 0).map((row, number) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place.
              <tr key={number}>
                {row.map((cell, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place.
                  <td key={place} dir="auto">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
