import { Link } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { useLocalPath } from '#web/lib/use-language.ts';
import { buttonStyle } from '#web/ui/button-style.ts';

/** What has become of a link about a change of address. */
export type ChangeOutcome =
  | { state: 'changed' | 'waiting'; email: string }
  | { state: 'stopped' | 'notMine' | 'invalid' };

const OUTCOMES = {
  changed: 'confirmEmail.changed',
  waiting: 'confirmEmail.waiting',
  stopped: 'confirmEmail.stopped',
} as const satisfies Record<string, TextKey>;

/** Says it. */
export function EmailChangeOutcome({ outcome }: { outcome: ChangeOutcome }) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  if (outcome.state === 'invalid') return <p role="alert">{t('confirmEmail.invalid')}</p>;
  if (outcome.state === 'notMine')
    return (
      <>
        <p role="status">{t('confirmEmail.notMine')}</p>
        <Link to={pathTo('')} className={buttonStyle('secondary')}>
          {t('confirmEmail.toHome')}
        </Link>
      </>
    );
  const stopped = outcome.state === 'stopped';
  const email = 'email' in outcome ? outcome.email : '';
  return (
    <>
      <p role="status" className="break-words">
        {t(OUTCOMES[outcome.state], { email })}
      </p>
      <Link to={stopped ? '/forgot-password' : '/profile/details'} className={buttonStyle()}>
        {t(stopped ? 'confirmEmail.newPassword' : 'confirmEmail.toProfile')}
      </Link>
    </>
  );
}
