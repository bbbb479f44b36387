import { brand } from 'virtual:site';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { PageTitle } from './layout/page-title.tsx';

const LINK = 'break-words underline underline-offset-4';

/** An address as one reads it out. */
const shown = (address: string) => address.replace(/^https?:\/\/|\/$/g, '');

export default function ContactPage() {
  const { t } = useTranslation('common');
  const { supportEmail, social } = brand;
  return (
    <div className="page py-16 sm:py-20">
      <PageHead page="contact" />
      <PageTitle title={t('contact.title')}>{t('contact.lead')}</PageTitle>
      <dl className="max-w-prose gap-x-10 gap-y-5 max-sm:[&>dt:not(:first-child)]:mt-4 sm:grid sm:grid-cols-[auto_minmax(0,1fr)]">
        <dt className="text-soft">{t('contact.email')}</dt>
        <dd>
          <a href={`mailto:${supportEmail}`} className={LINK}>
            {supportEmail}
          </a>
        </dd>
        <dt className="text-soft">{t('contact.social')}</dt>
        <dd>
          <a href={social.profile} rel="me noopener" className={LINK}>
            {shown(social.profile)}
          </a>
        </dd>
        <dt className="text-soft">{t('contact.code')}</dt>
        <dd>
          <a href={social.code} rel="me noopener" className={LINK}>
            {shown(social.code)}
          </a>
        </dd>
        <dt className="text-soft">{t('contact.chatApp')}</dt>
        <dd className="break-words">{social.chatAppId}</dd>
      </dl>
    </div>
  );
}
