import { type ReactNode, useState } from 'react';
import { ApiError } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { PdfPages } from './pdf-pages.tsx';
import { usePdf } from './use-pdf.ts';

interface PdfViewerProps {
  fileId: string;
  /** Its text, which can be selected and read aloud as a whole; null where it has none. */
  text: ReactNode | null;
}

/** A PDF: its pages, or its text. */
export function PdfViewer({ fileId, text }: PdfViewerProps) {
  const { t } = useTranslation('common');
  const [shown, setShown] = useState<'pages' | 'text'>('pages');
  if (text === null) return <Pages fileId={fileId} />;
  return (
    <>
      <Segmented
        label={t('files.pdfShown')}
        name="pdf-shown"
        value={shown}
        onChange={setShown}
        options={[
          { value: 'pages', label: t('files.pdfPages') },
          { value: 'text', label: t('files.pdfText') },
        ]}
        className="mb-3 phone:mx-4 phone:mb-2"
      />
      {shown === 'text' ? text : <Pages fileId={fileId} />}
    </>
  );
}

/** The pages, or in words why there are none. */
function Pages({ fileId }: { fileId: string }) {
  const { t } = useTranslation('common');
  const [attempt, setAttempt] = useState(0);
  const pdf = usePdf(fileId, attempt);
  // As high as the pages and what is under them, so that the dialog does not jump.
  if (!pdf)
    return (
      <p role="status" className="sm:h-[calc(65dvh+3.25rem)]">
        {t('files.loading')}
      </p>
    );
  if (!('fault' in pdf)) return <PdfPages {...pdf} />;
  const { fault } = pdf;
  if (fault === 'encrypted') return <p role="alert">{t('files.pdfEncrypted')}</p>;
  if (fault === 'broken') return <p role="alert">{t('files.pdfBroken')}</p>;
  return (
    <div className="flex flex-col items-start gap-3 phone:px-4">
      <p role="alert">{t(fault instanceof ApiError ? 'files.loadFailed' : 'files.pdfSlow')}</p>
      <Button variant="secondary" size="small" onClick={() => setAttempt(attempt + 1)}>
        {t('chat.reload')}
      </Button>
    </div>
  );
}
