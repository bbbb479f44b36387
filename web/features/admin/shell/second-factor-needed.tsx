import { useTranslation } from '#web/lib/i18n.tsx';
import { buttonStyle } from '#web/ui/button-style.ts';
import { Screen } from '../show/screen.tsx';

/** The way to two-step verification, without which the console shows nothing. */
export function SecondFactorNeeded() {
  const { t } = useTranslation('admin');
  return (
    <Screen title={t('admin.secondFactor.title')} lead={t('admin.secondFactor.text')}>
      <a href="/profile/security" className={`${buttonStyle()} self-start`}>
        {t('admin.secondFactor.turnOn')}
      </a>
    </Screen>
  );
}
