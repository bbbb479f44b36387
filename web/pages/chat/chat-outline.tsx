import { brand, facts } from 'virtual:site';
import { brandName } from '#contract/brand.ts';
import { EmptyConversation } from '#web/features/chat/conversation/chat-state.tsx';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLanguage } from '#web/lib/use-language.ts';
import { classNames } from '#web/ui/class-names.ts';
import { MarkedName, StandingMark } from '#web/ui/mark.tsx';

/**
 * What the built page shows a reader who was signed in: the chat as it begins, until its code and who reads are here. Everything has
 * the place that it has in the chat: text that is drawn again elsewhere would jump, and count as the largest paint once more.
 */
export function ChatOutline({ className = '' }: { className?: string }) {
  const { t } = useTranslation('common');
  const language = useLanguage();
  return (
    <div aria-hidden className={classNames('flex min-h-0 flex-1', className)}>
      <div className="for-open-panel w-68 shrink-0 border-line border-r max-nav:hidden">
        <div className="flex h-14 items-center gap-2.5 px-6">
          <StandingMark />
          <MarkedName className="text-xl">{brandName(brand, language)}</MarkedName>
        </div>
      </div>
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="flex h-14 shrink-0 border-line border-b pl-13 max-sm:pt-[7px] sm:items-center sm:pl-14">
          <span className="for-new-chats truncate px-2 font-medium max-sm:leading-5">{t('chat.title')}</span>
        </div>
        <div className="flex min-h-0 flex-1 flex-col justify-end overflow-hidden">
          <div className="for-new-chats chat-column mt-auto flex shrink-0 flex-col py-8">
            <EmptyConversation hasFiles={false} cost={facts.defaultCost} temporary={false} />
          </div>
          <div className="composer-column shrink-0 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
            <div className="rounded-card border border-edge bg-raised pb-15">
              <p className="px-[calc(var(--inset)-1px)] pt-3 pb-1 text-soft">{t('chat.placeholder')}</p>
            </div>
          </div>
          <div className="for-new-chats mb-auto h-56 shrink-0 sm:h-30" />
        </div>
      </div>
    </div>
  );
}
