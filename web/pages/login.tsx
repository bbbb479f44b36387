import { Link, useSearchParams } from 'react-router';
import { LoginForm } from '#web/features/accounts/login-form.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { RichText } from '#web/ui/rich-text.tsx';
import { Entrance } from './layout/entrance.tsx';

export default function LoginPage() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const [search] = useSearchParams();
  const toRegister = (text: string) => (
    <Link
      to={{ pathname: pathTo('register'), search: search.toString() }}
      className="font-medium underline underline-offset-4"
    >
      {text}
    </Link>
  );
  return (
    <>
      <PageHead page="login" />
      <Entrance title={t('account.loginTitle')}>
        <LoginForm />
        <p className="text-sm">
          <RichText text={t('account.toRegister')} parts={{ link: toRegister }} />
        </p>
      </Entrance>
    </>
  );
}
