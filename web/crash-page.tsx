import { useEffect } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';

/** What a reader sees when a page breaks: what happened, that nothing was charged for it, and the way on. */
export function CrashPage({ error }: { error: unknown }) {
  const { t } = useTranslation('common');

  useEffect(() => {
    // biome-ignore lint/suspicious/noConsole: the place where a browser's faults are looked for.
    console.error(error);
  }, [error]);

  return (
    <main className="page flex min-h-dvh flex-col items-start justify-center gap-4">
      <title>{t('crash.title')}</title>
      <h1 className="headline text-4xl">{t('crash.title')}</h1>
      <p className="max-w-prose text-soft">{t('crash.text')}</p>
      <Button onClick={() => window.location.reload()}>{t('crash.reload')}</Button>
    </main>
  );
}
