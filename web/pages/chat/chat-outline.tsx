import { facts } from 'virtual:site';
import { EmptyConversation } from '#web/features/chat/conversation/chat-state.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Mark } from '#web/ui/mark.tsx';

/** What the built page shows a reader who was signed in: the chat as it begins, until its code and who reads are here. */
export function ChatOutline({ className = '' }: { className?: string }) {
  const { t } = useTranslation('common');
  return (
    <div aria-hidden className={classNames('flex min-h-0 flex-1 flex-col', className)}>
      <div className="flex h-14 shrink-0 items-center border-line border-b px-5">
        <Mark size={20} />
      </div>
      {/* As wide as the column of messages: text that is drawn again in another width would count as the largest paint once more. */}
      <div className="for-new-chats mx-auto mt-auto w-full max-w-prose px-4 sm:px-0">
        <EmptyConversation cost={facts.defaultCost} temporary={false} />
      </div>
      <div className="mx-auto w-full max-w-[42rem] px-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
        <div className="h-28 rounded-card border border-edge bg-raised px-4 pt-3 text-soft">
          {t('chat.placeholder')}
        </div>
      </div>
      <div className="for-new-chats mb-auto" />
    </div>
  );
}
