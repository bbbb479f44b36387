import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { isGone } from './use-file-info.ts';

/** In words why a file is not shown: it was deleted, or did not come. */
export function FileFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation('common');
  if (isGone(error)) return <p role="alert">{t('files.gone')}</p>;
  return (
    <div className="flex flex-col items-start gap-3 phone:px-4">
      <p role="alert">{t('files.loadFailed')}</p>
      <Button variant="secondary" size="small" onClick={onRetry}>
        {t('chat.reload')}
      </Button>
    </div>
  );
}
