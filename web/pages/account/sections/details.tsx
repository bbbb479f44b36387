import type { ReactNode } from 'react';
import { formatMoment } from '#i18n/formats.ts';
import { EmailSettings } from '#web/features/accounts/email/email-settings.tsx';
import { NameForm } from '#web/features/accounts/profile/name-form.tsx';
import { PictureForm } from '#web/features/accounts/profile/picture-form.tsx';
import { Appearance } from '#web/features/accounts/settings/appearance.tsx';
import { Part } from '#web/features/accounts/settings/settings-part.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { AccountSection } from '../account-section.tsx';

/** Who the user is to others and to us. */
export default function DetailsSection() {
  const { t, i18n } = useTranslation('common');
  const { language } = i18n;
  return (
    <AccountSection page="profile/details">
      {(user) => (
        <>
          <Part id="picture" title={t('picture.title')}>
            <PictureForm user={user} />
          </Part>
          <Part id="name" title={t('profile.nameTitle')}>
            <NameForm user={user} />
          </Part>
          <Part id="email" title={t('email.title')}>
            <EmailSettings />
          </Part>
          <Part id="look" title={t('look.title')}>
            <Appearance />
          </Part>
          <Part id="account" title={t('profile.accountTitle')}>
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-10 gap-y-3">
              <Row name={t('profile.created')}>{formatMoment(language, user.createdAt)}</Row>
              <Row name={t('profile.lastLogin')}>{formatMoment(language, user.lastLoginAt)}</Row>
            </dl>
          </Part>
        </>
      )}
    </AccountSection>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="break-words tabular-nums">{children}</dd>
    </>
  );
}
