import { Link } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { buttonStyle } from '#web/ui/button-style.ts';
import { showAlert } from '#web/ui/toast-store.ts';
import type { Conversations } from './use-conversations.ts';

interface ConversationListProps {
  list: Conversations;
  currentId: string;
  /** A conversation was followed. */
  onFollow?: () => void;
}

/** The reader's conversations, newest first. */
export function ConversationList({ list, currentId, onFollow }: ConversationListProps) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const { conversations, failed, loadOlder } = list;
  if (!conversations)
    return failed ? <p className="px-3 text-soft text-sm">{t('chat.conversationsFailed')}</p> : null;
  if (conversations.length === 0)
    return <p className="px-3 text-soft text-sm">{t('chat.conversationsEmpty')}</p>;
  return (
    <>
      <ul className="flex flex-col">
        {conversations.map(({ id, title }) => (
          <li key={id}>
            <Link
              to={`${pathTo('chat')}/${id}`}
              onClick={onFollow}
              aria-current={id === currentId ? 'page' : undefined}
              className="block truncate rounded-control px-3 py-2 text-sm leading-6 hover:bg-sunken aria-[current=page]:bg-sunken aria-[current=page]:font-medium"
            >
              <span dir="auto">{title}</span>
            </Link>
          </li>
        ))}
      </ul>
      {loadOlder ? (
        <button
          type="button"
          onClick={() => loadOlder().catch(() => showAlert(t('chat.conversationsFailed')))}
          className={buttonStyle('quiet', 'small')}
        >
          {t('chat.conversationsMore')}
        </button>
      ) : null}
    </>
  );
}
