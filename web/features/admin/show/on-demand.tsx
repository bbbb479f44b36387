import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { screenQuery } from './admin-query.ts';
import { Part } from './screen.tsx';
import { useErrorText } from './use-error-text.ts';
import { useFormat } from './use-format.ts';

interface OnDemandProps<T> {
  title: string;
  /** What it does, and what it takes. */
  note: string;
  button: string;
  /** Where it is read: `ledger/check`. */
  path: string;
  children: (found: T) => ReactNode;
}

/** A part that takes long to read, and is read when its button is pressed only. It stops when one leaves the screen. */
export function OnDemand<T>({ title, note, button, path, children }: OnDemandProps<T>) {
  const { t } = useTranslation('admin');
  const { moment } = useFormat();
  const errorText = useErrorText();
  const query = useQuery({ ...screenQuery<T>(path), enabled: false, retry: false });
  const { data, error, isFetching, dataUpdatedAt } = query;
  return (
    <Part
      title={title}
      actions={
        <Button variant="secondary" size="small" busy={isFetching} onClick={() => void query.refetch()}>
          {button}
        </Button>
      }
    >
      <p className="max-w-prose text-soft">{note}</p>
      <p role="status" className="text-soft">
        {isFetching ? t('admin.onDemand.running') : null}
        {data !== undefined && !isFetching ? t('admin.onDemand.done', { time: moment(dataUpdatedAt) }) : null}
      </p>
      {error && !isFetching ? <p role="alert">{errorText(error)}</p> : null}
      {data !== undefined && !isFetching ? children(data) : null}
    </Part>
  );
}
