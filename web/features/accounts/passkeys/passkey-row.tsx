import type { Passkey } from '#contract/passkeys.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { languageTag } from '#web/lib/language.ts';
import { Button } from '#web/ui/button.tsx';

interface PasskeyRowProps {
  passkey: Passkey;
  onRename: () => void;
  onDelete: () => void;
}

/** One passkey in the list. */
export function PasskeyRow({ passkey: { name, createdAt, usedAt }, onRename, onDelete }: PasskeyRowProps) {
  const { t, i18n } = useTranslation('common');
  const dates = new Intl.DateTimeFormat(languageTag(i18n.language), { dateStyle: 'medium' });
  const used = usedAt === null ? t('passkeys.neverUsed') : t('passkeys.used', { date: dates.format(usedAt) });
  return (
    <li className="flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
      <div className="min-w-0">
        <p className="break-words font-medium">{name}</p>
        <p className="text-soft text-sm tabular-nums">
          {t('passkeys.created', { date: dates.format(createdAt) })} · {used}
        </p>
      </div>
      <div className="-mx-4 flex sm:mx-0">
        <Button variant="quiet" onClick={onRename} aria-label={t('passkeys.renameOne', { name })}>
          {t('passkeys.rename')}
        </Button>
        <Button variant="quiet" onClick={onDelete} aria-label={t('passkeys.deleteOne', { name })}>
          {t('passkeys.delete')}
        </Button>
      </div>
    </li>
  );
}
