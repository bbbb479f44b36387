import { brand } from 'virtual:site';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { PageTitle } from './layout/page-title.tsx';

const LINK = 'break-all underline underline-offset-4';

export default function ContactPage() {
  const { t } = useTranslation('common');
  const { supportEmail, social } = brand;
  return (
    <div className="page py-16 sm:py-20">
      <PageHead page="contact" />
      <PageTitle title={t('contact.title')}>{t('contact.lead')}</PageTitle>
      <dl className="grid max-w-prose grid-cols-[auto_minmax(0,1fr)] gap-x-10 gap-y-5">
        <dt className="text-soft">{t('contact.email')}</dt>
        <dd>
          <a href={`mailto:${supportEmail}`} className={LINK}>
            {supportEmail}
          </a>
        </dd>
        <dt className="text-soft">{t('contact.social')}</dt>
        <dd>
          <a href={social.profile} rel="me noopener" className={LINK}>
            {social.profile}
          </a>
        </dd>
        <dt className="text-soft">{t('contact.code')}</dt>
        <dd>
          <a href={social.code} rel="me noopener" className={LINK}>
            {social.code}
          </a>
        </dd>
        <dt className="text-soft">{t('contact.chatApp')}</dt>
        <dd className="break-all">{social.chatAppId}</dd>
      </dl>
    </div>
  );
}
