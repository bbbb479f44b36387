import type { CatalogueModel } from '#contract/catalogue.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useModule } from '#web/lib/use-module.ts';
import { showAlert } from '#web/ui/toast-store.ts';
import { Composer } from '../composer/composer.tsx';
import type { Draft } from '../composer/draft.ts';
import { Reconnecting } from '../composer/reconnecting.tsx';
import { loadQueuedList } from '../queue/load-queued-list.ts';
import type { ConversationState } from './use-conversation.ts';

interface ConversationFootProps {
  conversation: ConversationState;
  draft: Draft;
  credits: number;
  models: readonly CatalogueModel[];
  model: CatalogueModel | undefined;
  onChooseModel: (id: string) => void;
}

/** What stands beneath the messages: news of the connection, the messages that wait, and the composer. */
export function ConversationFoot(props: ConversationFootProps) {
  const { t } = useTranslation('common');
  const { conversation, draft, models, model } = props;
  const { running, sending, queue, state, announcement, branch } = conversation;
  const isQueueing = state === 'running' || state === 'sending' || queue.isMoving;
  const waiting = useModule(isQueueing || queue.items.length > 0, loadQueuedList);
  return (
    <>
      <p role="status" className="sr-only">
        {announcement.isAlert ? null : announcement.text}
      </p>
      {announcement.isAlert ? (
        <p role="alert" className="sr-only">
          {announcement.text}
        </p>
      ) : null}
      {running ? null : <Reconnecting />}
      {waiting && queue.items.length > 0 ? (
        <waiting.QueuedList
          {...queue}
          models={models}
          canSend={state === 'ready'}
          onEdit={(queued) => {
            const withdrawn = queue.withdraw(queued);
            if (!withdrawn) return showAlert(t('chat.queueOnWay'));
            draft.putBefore(withdrawn.content);
            draft.attachments.restore(withdrawn.files ?? []);
            focusComposer();
          }}
          onWithdraw={(queued, byKey) => {
            if (!queue.withdraw(queued)) return showAlert(t('chat.queueOnWay'));
            if (byKey) focusComposer();
          }}
          onSend={(asked, max, byKey) => {
            void sending.sendQueued(asked, max);
            if (byKey) focusComposer();
          }}
          onRetry={(byKey) => {
            queue.retry();
            if (byKey) focusComposer();
          }}
        />
      ) : null}
      <Composer
        draft={draft}
        state={state}
        models={models}
        model={model}
        onChooseModel={props.onChooseModel}
        credits={props.credits}
        isAnswered={branch.turns.some(({ message }) => message.status !== 'running')}
        outgoing={conversation.outgoing}
        problem={sending.problem}
        isShort={sending.isShort}
        isQueueing={isQueueing}
        onSubmit={sending.submit}
        isAwaited={sending.isAwaited}
        onChange={sending.cancelSubmit}
        onStop={conversation.stop}
      />
    </>
  );
}

/** Puts the keyboard into the composer. */
export function focusComposer(): void {
  document.querySelector<HTMLElement>('[data-composer]')?.focus();
}
