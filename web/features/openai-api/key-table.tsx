import type { ReactNode } from 'react';
import type { ApiKey } from '#contract/keys.ts';
import { formatDay, formatMoment } from '#i18n/formats.ts';
import { inMenuOrder } from '#web/features/catalogue/use-offered-models.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';

interface KeyTableProps {
  keys: readonly ApiKey[];
  onEdit: (key: ApiKey) => void;
  onRevoke: (key: ApiKey) => void;
}

/** The keys with what they may do and when they were last used. */
export function KeyTable({ keys, onEdit, onRevoke }: KeyTableProps) {
  const { t, i18n } = useTranslation('common');
  const dayOf = (time: number) => formatDay(i18n.language, time);
  return (
    <ul className="border-line border-t">
      {keys.map((key) => (
        <li
          key={key.id}
          className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3 border-line border-b py-4"
        >
          <div className="min-w-0 flex-1 basis-72">
            <h3 className="break-words font-medium">{key.name}</h3>
            <p className="font-mono text-soft text-sm" lang="zxx">{`${key.prefix}…`}</p>
            <p className="text-soft text-sm">
              {key.lastUsedAt === null
                ? t('keys.neverUsed')
                : t('keys.lastUsed', { time: formatMoment(i18n.language, key.lastUsedAt) })}
              {' · '}
              {t('keys.createdAt', { time: dayOf(key.createdAt) })}
            </p>
            <Scopes value={key} lastDay={key.expiresAt === null ? null : dayOf(key.expiresAt - 1)} />
          </div>
          <div className="flex gap-2">
            <Button
              variant="quiet"
              size="small"
              onClick={() => onEdit(key)}
              aria-label={t('keys.editNamed', { name: key.name })}
            >
              {t('keys.edit')}
            </Button>
            <Button
              variant="quiet"
              size="small"
              onClick={() => onRevoke(key)}
              aria-label={t('keys.revokeNamed', { name: key.name })}
            >
              {t('keys.revoke')}
            </Button>
          </div>
        </li>
      ))}
    </ul>
  );
}

function Scopes({ value, lastDay }: { value: ApiKey; lastDay: string | null }) {
  const { t } = useTranslation('common');
  const { models, monthlyCap, allowedAddresses, expiresAt } = value;
  const isOver = expiresAt !== null && expiresAt <= Date.now();
  const said = [
    models ? t('keys.onlyModels', { models: inMenuOrder(models).join(', ') }) : null,
    monthlyCap ? t('keys.cap', { credits: monthlyCap }) : null,
    allowedAddresses ? t('keys.onlyFrom', { networks: allowedAddresses.join(', ') }) : null,
    lastDay ? t(isOver ? 'keys.expired' : 'keys.until', { day: lastDay }) : null,
  ].filter((one): one is string => one !== null);
  if (said.length === 0) return null;
  const lines: ReactNode[] = said.map((text) => <li key={text}>{text}</li>);
  return <ul className="mt-1 break-words text-sm">{lines}</ul>;
}
