import { ArrowDown } from 'lucide-react';
import { useEffect } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { preloadMarkdown } from '../answer/load-markdown.ts';
import { Composer } from '../composer/composer.tsx';
import { useDraft } from '../composer/draft.ts';
import { Reconnecting } from '../composer/reconnecting.tsx';
import { Turns } from '../turn/turns.tsx';
import { Beginning } from './beginning.tsx';
import { type ConversationInput, useConversation } from './use-conversation.ts';
import { useReadingPlace } from './use-reading-place.ts';

interface ConversationProps extends Omit<ConversationInput, 'draft'> {
  userId: string;
  models: readonly CatalogueModel[];
  onChooseModel: (id: string) => void;
  /** The conversation has its first message. */
  onBegun: () => void;
}

/** The messages of one conversation and the composer beneath them. */
export function Conversation({ userId, models, onChooseModel, onBegun, ...input }: ConversationProps) {
  const { t } = useTranslation('common');
  const { id, isNew, model } = input;
  const draft = useDraft(userId, id, isNew);
  const conversation = useConversation({ ...input, draft });
  const { scroller, content, following, goToEnd } = useReadingPlace(conversation);
  const { pending, running, sending } = conversation;
  const { loadNewer } = conversation.branch;

  useEffect(preloadMarkdown, []);
  const begun = isNew && conversation.loaded.known.messages.length > 0;
  useEffect(() => {
    if (begun) onBegun();
  }, [begun, onBegun]);

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <section
        ref={scroller}
        data-scroller
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        tabIndex={0}
        aria-label={t('chat.messages')}
        className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain outline-none [overflow-anchor:none] focus-visible:shadow-[inset_0_0_0_2px_var(--color-ink)] print:overflow-visible"
      >
        <div
          ref={content}
          className="mx-auto flex min-h-full w-full max-w-prose flex-col gap-10 px-4 py-8 sm:px-0"
        >
          <Beginning conversation={conversation} cost={model?.cost ?? null} temporary={input.temporary} />
          <Turns conversation={conversation} models={models} model={model} scroller={scroller} />
          {loadNewer ? (
            <LoadMore label={t('chat.newer')} failedText={t('chat.messagesFailed')} load={loadNewer} />
          ) : null}
        </div>
      </section>
      <div className="relative mx-auto w-full max-w-[42rem] px-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] print:hidden">
        {following ? null : (
          <Button
            variant="secondary"
            size="small"
            onClick={goToEnd}
            className="-top-12 -translate-x-1/2 absolute left-1/2 shadow-float"
          >
            <ArrowDown aria-hidden size={16} strokeWidth={1.5} />
            {running ? t('chat.toLatestRunning') : t('chat.toLatest')}
          </Button>
        )}
        <p role="status" className="sr-only">
          {conversation.announcement}
        </p>
        {running ? null : <Reconnecting />}
        <Composer
          draft={draft}
          state={conversation.state}
          sendingText={pending?.content ?? null}
          models={models}
          model={model}
          onChooseModel={onChooseModel}
          credits={input.credits}
          problem={sending.problem}
          onSubmit={sending.submit}
          isAwaited={sending.isAwaited}
          onChange={sending.cancelSubmit}
          onStop={conversation.stop}
        />
      </div>
    </div>
  );
}
