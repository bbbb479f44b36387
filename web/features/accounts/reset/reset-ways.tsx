import type { ResetOffer } from '#contract/accounts.ts';
import { formatDay } from '#i18n/formats.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';

const WAYS = {
  passkey: 'reset.passkey',
  google: 'reset.google',
  api_key: 'reset.apiKey',
} as const satisfies Record<string, TextKey>;

/** What else opens the account whose password is reset: `ends` in the form names those to end, the new ones from the start. */
export function ResetWays({ offer: { ways, secondFactorSince, everything } }: { offer: ResetOffer }) {
  const { t, i18n } = useTranslation('common');
  const dayOf = (time: number) => formatDay(i18n.language, time);
  return (
    <>
      {everything ? <p className="border-warning border-l-2 pl-4 text-sm">{t('reset.unproved')}</p> : null}
      {ways.length > 0 ? (
        <fieldset aria-describedby="ways-hint" className="flex flex-col gap-2.5">
          <legend className="mb-1.5 font-medium text-sm">{t('reset.waysTitle')}</legend>
          <p id="ways-hint" className="text-soft text-sm">
            {t('reset.waysHint')}
          </p>
          {ways.map(({ id, kind, name, createdAt, recent }) => (
            <Checkbox
              key={id}
              name="ends"
              value={id}
              defaultChecked={recent}
              label={t(WAYS[kind], { name, date: dayOf(createdAt) })}
            />
          ))}
        </fieldset>
      ) : null}
      {secondFactorSince === null ? null : (
        <p className="text-soft text-sm">{t('reset.secondFactor', { date: dayOf(secondFactorSince) })}</p>
      )}
    </>
  );
}
