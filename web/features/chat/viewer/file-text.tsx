import { useQuery } from '@tanstack/react-query';
import type { FileText as TextOfFile } from '#contract/message/files.ts';
import { callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { CsvTable, splitSheets } from './csv-table.tsx';
import { FileFailure } from './file-failure.tsx';
import { PlainText } from './plain-text.tsx';

interface FileTextProps {
  fileId: string;
  /** What the text holds as tables; null: it is shown as it is. */
  tables: 'csv' | 'sheets' | null;
}

/** The text of a file, or its tables. */
export function FileText({ fileId, tables }: FileTextProps) {
  const { t } = useTranslation('common');
  const { data, error, refetch } = useQuery({
    queryKey: ['file-text', fileId],
    queryFn: ({ signal }) => callApi<TextOfFile>(`/api/files/${fileId}/text`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
  });
  if (error) return <FileFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <p role="status">{t('files.loading')}</p>;
  const sheets = tables === 'csv' ? [{ name: '', text: data.text }] : splitSheets(data.text);
  return (
    <div className="min-h-0 phone:flex-1 phone:overflow-y-auto phone:px-4 phone:pb-4">
      {tables ? (
        sheets.map(({ name, text }) => <CsvTable key={name} name={name} text={text} />)
      ) : (
        <PlainText text={data.text} />
      )}
      {data.isCut ? <p className="mt-2 text-sm text-soft">{t('files.textCut')}</p> : null}
    </div>
  );
}
