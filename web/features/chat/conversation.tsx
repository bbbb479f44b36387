import { ArrowDown } from 'lucide-react';
import { useEffect } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLanguage } from '#web/lib/use-language.ts';
import { Button } from '#web/ui/button.tsx';
import { showAlert } from '#web/ui/toast-store.ts';
import { preloadMarkdown } from './answer-text.tsx';
import { ChatState } from './chat-state.tsx';
import { Composer, type ComposerState } from './composer.tsx';
import { EmptyConversation } from './empty-conversation.tsx';
import { TurnList } from './turn-list.tsx';
import { type ConversationInput, type ConversationState, useConversation } from './use-conversation.ts';
import { useDraft } from './use-draft.ts';
import { useFollowBottom } from './use-follow-bottom.ts';

interface ConversationProps extends Omit<ConversationInput, 'draft'> {
  userId: string;
  models: readonly CatalogueModel[];
  /** The conversation has its first message. */
  onBegun: () => void;
}

/** The messages of one conversation and the composer beneath them. */
export function Conversation({ userId, models, onBegun, ...input }: ConversationProps) {
  const { t } = useTranslation('common');
  const language = useLanguage();
  const { id, isNew, model, credits } = input;
  const draft = useDraft(userId, id, isNew);
  const conversation = useConversation({ ...input, draft });
  const { scroller, content, following, toBottom, keepPlace } = useFollowBottom();
  const { turns, pending, running } = conversation;
  const cost = model?.cost ?? null;

  useEffect(preloadMarkdown, []);
  const begun = isNew && conversation.loaded.messages.length > 0;
  useEffect(() => {
    if (begun) onBegun();
  }, [begun, onBegun]);
  const sending = pending !== null;
  useEffect(() => {
    if (sending) toBottom();
  }, [sending, toBottom]);

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
        <div
          ref={content}
          className="mx-auto flex min-h-full w-full max-w-prose flex-col gap-10 px-4 py-8 sm:px-0"
        >
          <Beginning conversation={conversation} cost={cost} onOlder={keepPlace} />
          <TurnList
            turns={turns}
            pendingId={pending?.id ?? null}
            models={models}
            retryCost={cost ?? 0}
            onRetry={running || sending ? null : conversation.retry}
            onChoose={conversation.choose}
          />
        </div>
      </div>
      <div className="relative mx-auto w-full max-w-[42rem] px-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
        {following ? null : (
          <Button
            variant="secondary"
            size="small"
            onClick={toBottom}
            className="-top-12 -translate-x-1/2 absolute left-1/2 shadow-float"
          >
            <ArrowDown aria-hidden size={16} strokeWidth={1.5} />
            {t('chat.toLatest')}
          </Button>
        )}
        <p role="status" className="sr-only">
          {conversation.announcement}
        </p>
        <Composer
          draft={draft}
          state={composerState(conversation, model)}
          sendingText={pending?.content ?? null}
          cost={cost}
          credits={credits}
          modelTitle={model?.title[language] ?? ''}
          problem={conversation.problem}
          onSend={conversation.send}
          onStop={conversation.stop}
        />
      </div>
    </div>
  );
}

interface BeginningProps {
  conversation: ConversationState;
  cost: number | null;
  /** Older messages are about to be put before those on screen. */
  onOlder: () => void;
}

/** What stands above the first message on screen: older ones, or why there are none. */
function Beginning({ conversation, cost, onOlder }: BeginningProps) {
  const { t } = useTranslation('common');
  const { loaded, turns } = conversation;
  if (loaded.state === 'loading') return null;
  if (loaded.state === 'missing')
    return <ChatState title={t('chat.missingTitle')} text={t('chat.missingText')} />;
  if (loaded.state === 'failed') {
    const retry = <Button onClick={loaded.retry}>{t('chat.reload')}</Button>;
    return <ChatState title={t('chat.loadFailedTitle')} text={t('chat.loadFailedText')} action={retry} />;
  }
  if (turns.length === 0) return <EmptyConversation cost={cost} />;
  const { loadOlder } = loaded;
  if (!loadOlder) return null;
  return (
    <Button
      variant="quiet"
      size="small"
      onClick={() => loadOlder(onOlder).catch(() => showAlert(t('chat.loadFailedTitle')))}
      className="self-center"
    >
      {t('chat.older')}
    </Button>
  );
}

function composerState(conversation: ConversationState, model: CatalogueModel | undefined): ComposerState {
  if (conversation.pending) return 'sending';
  if (conversation.running) return 'running';
  return conversation.loaded.state === 'ready' && model ? 'ready' : 'unavailable';
}
