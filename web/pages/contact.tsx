import { brand } from 'virtual:site';
import { Link } from 'react-router';
import { CopyButton } from '#web/features/openai-api/copy-button.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { buttonStyle } from '#web/ui/button-style.ts';
import { classNames } from '#web/ui/class-names.ts';
import { RichText } from '#web/ui/text/rich-text.tsx';
import { PageTitle } from './layout/page-title.tsx';

const LINK = 'break-words underline underline-offset-4';

/** An address as one reads it out. */
const shown = (address: string) => address.replace(/^https?:\/\/|\/$/g, '');

export default function ContactPage() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const { supportEmail, social } = brand;
  const linkTo = (page: 'faq' | 'orders') => (text: string) => (
    <Link key={page} to={pathTo(page)} className="whitespace-nowrap text-ink underline underline-offset-4">
      {text}
    </Link>
  );
  return (
    <div className="page py-16 sm:py-20">
      <PageHead page="contact" />
      <PageTitle title={t('contact.title')}>{t('contact.lead')}</PageTitle>
      <a
        href={`mailto:${supportEmail}`}
        className={classNames(buttonStyle('primary', 'large'), 'max-w-full py-2 wrap-anywhere')}
      >
        {t('contact.write', { email: supportEmail })}
      </a>
      <p className="mt-4 max-w-prose text-soft">
        <RichText text={t('contact.first')} parts={{ faq: linkTo('faq'), orders: linkTo('orders') }} />
      </p>
      <dl className="mt-12 items-baseline gap-x-10 gap-y-3 border-line border-t pt-8 max-sm:[&>dt:not(:first-child)]:mt-4 sm:grid sm:grid-cols-[auto_minmax(0,1fr)]">
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
        <dd className="flex flex-wrap items-center gap-x-2 wrap-anywhere sm:[&>button]:-my-2">
          {social.chatAppId}
          <CopyButton text={social.chatAppId} label={t('contact.copyChatApp')} />
        </dd>
      </dl>
    </div>
  );
}
