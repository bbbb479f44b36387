import { ArrowDown } from 'lucide-react';
import { useCallback, useEffect } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { LoadMore } from '#web/ui/load-more.tsx';
import { preloadMarkdown } from '../answer/load-markdown.ts';
import { useDraft } from '../composer/draft.ts';
import { Starters } from '../composer/starters/starters.tsx';
import { useFileDrop } from '../files/use-file-drop.ts';
import { Beginning } from './beginning.tsx';
import { ConversationFoot, focusComposer } from './conversation-foot.tsx';
import { type ConversationInput, useConversation } from './use-conversation.ts';
import { useReadingPlace } from './use-reading-place.ts';

interface ConversationProps extends Omit<ConversationInput, 'draft'> {
  onChooseModel: (id: string) => void;
  /** The conversation has its first message. */
  onBegun: () => void;
}

/** The messages of one conversation and the composer beneath them. */
export function Conversation({ onChooseModel, onBegun, ...input }: ConversationProps) {
  const { t } = useTranslation('common');
  const { userId, id, isNew, model, models } = input;
  const draft = useDraft(userId, id, isNew);
  const conversation = useConversation({ ...input, draft });
  const { scroller, content, isFar, goToEnd, drawn } = useReadingPlace(conversation);
  const isOver = useFileDrop((files) => draft.attachments.add(files));
  const { running } = conversation;
  const { loadNewer, turns } = conversation.branch;
  const isBlank = isNew && turns.length === 0;

  const fill = useCallback(
    (question: string) => {
      draft.putBefore(question);
      focusComposer();
    },
    [draft],
  );

  useEffect(preloadMarkdown, []);
  const begun = isNew && conversation.loaded.known.messages.length > 0;
  useEffect(() => {
    if (begun) onBegun();
  }, [begun, onBegun]);

  return (
    <div className={classNames('relative flex min-h-0 flex-1 flex-col', isBlank && 'overflow-y-auto')}>
      <section
        ref={scroller}
        data-scroller
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        tabIndex={0}
        aria-label={t('chat.messages')}
        className={classNames(
          '@container relative min-h-0 overflow-y-auto overscroll-contain outline-none [overflow-anchor:none] focus-visible:shadow-[inset_0_0_0_2px_var(--color-ink)] focus-visible:marked-in-forced-colors print:overflow-visible',
          isBlank ? 'mt-auto shrink-0' : 'flex-1',
        )}
      >
        <div ref={content} className="chat-column flex min-h-full flex-col gap-10 py-8">
          <Beginning
            conversation={conversation}
            cost={model?.cost ?? null}
            temporary={input.temporary}
            draft={draft}
          />
          {drawn && turns.length > 0 ? (
            <drawn.Turns
              userId={userId}
              conversation={conversation}
              models={models}
              model={model}
              chooseModel={onChooseModel}
              fill={fill}
              scroller={scroller}
            />
          ) : null}
          {loadNewer ? (
            <LoadMore label={t('chat.newer')} failedText={t('chat.messagesFailed')} load={loadNewer} />
          ) : null}
        </div>
      </section>
      <div className="composer-column relative shrink-0 pb-[max(0.75rem,env(safe-area-inset-bottom))] print:hidden">
        {isFar ? (
          // In a line of its own, so that it never covers the buttons of a message.
          <div className="flex justify-center">
            <Button
              variant="secondary"
              size="small"
              onClick={({ detail }) => {
                void goToEnd();
                // The button goes once the end is near: who pressed it by a key goes on from the messages.
                if (detail === 0) scroller.current?.focus({ preventScroll: true });
              }}
              className="my-2 pointer-coarse:min-h-11"
            >
              <ArrowDown aria-hidden size={16} strokeWidth={1.5} />
              {running ? t('chat.toLatestRunning') : t('chat.toLatest')}
            </Button>
          </div>
        ) : null}
        <ConversationFoot
          conversation={conversation}
          draft={draft}
          credits={input.credits}
          models={models}
          model={model}
          onChooseModel={onChooseModel}
        />
      </div>
      {isOver ? (
        <p className="pointer-events-none absolute inset-2 z-10 flex items-center justify-center rounded-card border-2 border-ink border-dashed bg-paper/80 text-lg">
          <span className="rounded-control border border-line bg-raised px-5 py-3 shadow-float">
            {t('files.drop')}
          </span>
        </p>
      ) : null}
      {isBlank ? (
        // As high as the starters with a line each, so that what stands above them is not moved by their words.
        <div className="mb-auto h-56 shrink-0 sm:h-30">
          <Starters draft={draft} isHidden={(model?.cost ?? 0) > input.credits} onChosen={focusComposer} />
        </div>
      ) : null}
    </div>
  );
}
