import { useEffect } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { returnPath } from '#contract/return-path.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { useLocalPath } from '#web/lib/use-language.ts';
import { Button } from '#web/ui/button.tsx';
import { buttonStyle } from '#web/ui/button-style.ts';

/** How often the server is tried. */
const LOOK_MS = 5_000;

/** What the service worker shows in the place of a page that needs a network; once that is back, the page itself. */
export default function OfflinePage() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const [search] = useSearchParams();
  const isHydrated = useHydrated();
  const { hash } = useLocation();
  // What stood behind `#`, as in the link of a mail, came along with the redirect.
  const next =
    isHydrated && search.has('next') ? returnPath(search.get('next'), pathTo('chat')) + hash : null;
  useEffect(() => {
    if (next === null) return;
    const look = () =>
      fetch('/healthz', { method: 'HEAD' }).then(
        () => window.location.replace(next),
        () => {},
      );
    const timer = setInterval(look, LOOK_MS);
    window.addEventListener('online', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', look);
    };
  }, [next]);
  return (
    <>
      <title>{t('offline.title')}</title>
      <meta name="robots" content="noindex" />
      <div className="page flex min-h-[60dvh] flex-col items-center justify-center gap-4 py-16 text-center">
        <h1 className="headline text-3xl">{t('offline.title')}</h1>
        <p className="max-w-prose text-soft">{t('offline.pageText')}</p>
        <div className="mt-3 flex flex-wrap justify-center gap-3">
          <Link to={pathTo('chat')} className={buttonStyle()}>
            {t('offline.toChat')}
          </Link>
          {next === null ? null : (
            <Button variant="secondary" onClick={() => window.location.assign(next)}>
              {t('offline.again')}
            </Button>
          )}
        </div>
      </div>
    </>
  );
}
