import { useEffect } from 'react';
import type { DeletionState } from '#contract/personal-data.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { buttonStyle } from '#web/ui/button-style.ts';
import { PageTitle } from '../layout/page-title.tsx';

/** What became of the account; the last line that its user sees on this page. */
export function Farewell({ state }: { state: DeletionState | 'leaving' }) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  // The page may have been read from its end.
  useEffect(() => window.scrollTo(0, 0), []);
  if (state === 'leaving') return <p role="status">{t('leaving.busy')}</p>;
  const isDeleted = state === 'deleted';
  return (
    <div role="status" className="max-w-prose">
      <PageTitle title={t(isDeleted ? 'leaving.deletedTitle' : 'leaving.waitingTitle')} />
      <p className="mb-8">{t(isDeleted ? 'leaving.deletedText' : 'leaving.waitingText')}</p>
      <a href={pathTo('')} className={buttonStyle('secondary')}>
        {t('leaving.home')}
      </a>
    </div>
  );
}
