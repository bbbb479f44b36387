import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button, Spinner } from '#web/ui/button.tsx';
import { mayPass } from './may-pass.ts';
import { useErrorText } from './use-error-text.ts';

interface ScreenProps {
  title: string;
  /** The title where it is drawn in another way on the page. */
  heading?: ReactNode;
  /** What it shows, in a sentence. */
  lead?: ReactNode;
  children: ReactNode;
}

/** A screen under its heading, which is also the name of the tab. */
export function Screen({ title, heading, lead, children }: ScreenProps) {
  const { t } = useTranslation('admin');
  return (
    <div className="flex min-w-0 flex-col gap-8">
      <title>{t('admin.tab', { title })}</title>
      <div>
        <h1 className="headline break-words text-2xl sm:text-3xl">{heading ?? title}</h1>
        {lead ? <div className="mt-1 max-w-prose text-soft">{lead}</div> : null}
      </div>
      {children}
    </div>
  );
}

/** A part of a screen under a heading of its own, with what can be done at its side. */
export function Part({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="font-semibold text-lg">{title}</h2>
        {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
      </div>
      {children}
    </section>
  );
}

/** What a query brought; until then that it is being read, or why it was not, with the way to read it again where that can help. */
export function Loaded<T>({
  query,
  children,
}: {
  query: UseQueryResult<T>;
  children: (data: T) => ReactNode;
}) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  if (query.data !== undefined) return children(query.data);
  if (!query.isError)
    return (
      <p role="status" className="flex items-center gap-2 text-soft">
        <Spinner />
        {t('admin.loading')}
      </p>
    );
  return (
    <div className="flex flex-col items-start gap-3">
      <p role="alert">{errorText(query.error)}</p>
      {mayPass(query.error) ? (
        <Button variant="secondary" size="small" onClick={() => void query.refetch()}>
          {t('admin.retry')}
        </Button>
      ) : null}
    </div>
  );
}
