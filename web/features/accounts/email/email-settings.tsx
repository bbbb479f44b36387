import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#web/lib/i18n.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { FieldError } from '#web/ui/field-error.tsx';
import { Fold } from '#web/ui/text/fold.tsx';
import { EmailChangePending } from './email-change-pending.tsx';
import { EmailForm } from './email-form.tsx';
import { emailQuery } from './email-query.ts';
import { UnverifiedNote } from './unverified-note.tsx';

/** The address: whether mail is known to reach it, and changing it. */
export function EmailSettings() {
  const { t } = useTranslation('common');
  const { data, isError } = useQuery(emailQuery);
  if (isError && !data) return <FieldError>{t('email.loadFailed')}</FieldError>;
  if (!data) return null;
  const { email, verified, mail, change } = data;
  return (
    <div className="flex max-w-md flex-col gap-5">
      <p className="break-words">
        {email}
        <span
          className={classNames('ml-3 whitespace-nowrap text-sm', verified ? 'text-soft' : 'text-warning')}
        >
          {t(verified ? 'email.verified' : 'email.unverified')}
        </span>
      </p>
      {mail ? (
        <>
          {verified ? null : <UnverifiedNote email={email} />}
          {change ? (
            <EmailChangePending change={change} oldEmail={email} />
          ) : (
            <Fold label={t('email.change')}>
              <EmailForm />
            </Fold>
          )}
        </>
      ) : (
        <p className="text-soft text-sm">{t('email.noMail')}</p>
      )}
    </div>
  );
}
