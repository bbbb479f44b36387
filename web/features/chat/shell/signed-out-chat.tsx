import { Link, useLocation } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { buttonStyle } from '#web/ui/button-style.ts';
import { ChatState } from '../conversation/chat-state.tsx';

/** What a visitor sees of the chat: the ways in, which lead back here. */
export function SignedOutChat() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const { pathname, search } = useLocation();
  const next = `?next=${encodeURIComponent(pathname + search)}`;
  return (
    <>
      <h1 className="sr-only">{t('chat.title')}</h1>
      <ChatState
        title={t('chat.signedOutTitle')}
        text={t('chat.signedOutText')}
        action={
          <div className="flex flex-wrap justify-center gap-3">
            <Link to={`${pathTo('login')}${next}`} className={buttonStyle()}>
              {t('chat.signedOutLink')}
            </Link>
            <Link to={`${pathTo('register')}${next}`} className={buttonStyle('secondary')}>
              {t('chat.signedOutRegister')}
            </Link>
          </div>
        }
      />
    </>
  );
}
