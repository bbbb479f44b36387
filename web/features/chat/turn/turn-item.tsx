import { memo, useRef, useState } from 'react';
import type { Message } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useModule } from '#web/lib/use-module.ts';
import { Answer } from '../answer/answer.tsx';
import { useNear } from '../scroll/near-window.ts';
import { AnswerEnd } from './answer-end.tsx';
import { FarTurn } from './far-turn.tsx';
import { useTurnActions } from './turn-actions.ts';
import { TurnFooter } from './turn-footer.tsx';
import { EditablePrompt } from './turn-prompt.tsx';
import type { Versions } from './version-switch.tsx';

const loadFollowUps = () => import('./follow-ups.tsx');

interface TurnItemProps {
  message: Message;
  pending: boolean;
  /** Among the newest, which are in sight when the conversation is opened. */
  fresh: boolean;
  place: number;
  count: number;
  older: string | undefined;
  newer: string | undefined;
  modelTitle: string;
}

/** One exchange: the prompt, its answer, and the quiet line beneath. Far from the window it keeps only its text and its height. */
export const TurnItem = memo((turn: TurnItemProps) => {
  const article = useRef<HTMLElement>(null);
  const { message } = turn;
  const { near, height } = useNear(article, turn.fresh);
  const isDrawn = near || message.status === 'running';
  return (
    <article
      ref={article}
      data-message={message.id}
      tabIndex={-1}
      className="group/turn flex flex-col gap-6 outline-none"
    >
      {isDrawn ? <DrawnTurn {...turn} /> : <FarTurn message={message} height={height} />}
    </article>
  );
});

function DrawnTurn({ message, pending, fresh, modelTitle, ...versions }: TurnItemProps) {
  const { t } = useTranslation('common');
  const shown: Versions = versions;
  const { canAsk, lastId } = useTurnActions();
  const { followUps = [] } = message;
  const [hadFollowUps] = useState(followUps.length > 0);
  const [runState, setRunState] = useState<string | null>(null);
  const isAsking = followUps.length > 0 && canAsk && message.id === lastId;
  const next = useModule(isAsking, loadFollowUps);
  return (
    <>
      <h2 className="sr-only">{t('chat.prompt')}</h2>
      <EditablePrompt key={message.id} message={message} />
      <div>
        <Answer key={message.id} message={message} pending={pending} fresh={fresh} onRunState={setRunState} />
        <AnswerEnd key={`${message.id}-end`} message={message} hasOlder={shown.older !== undefined} />
        <TurnFooter message={message} modelTitle={modelTitle} versions={shown} runState={runState} />
        {next && isAsking ? <next.FollowUps questions={followUps} late={!hadFollowUps} /> : null}
      </div>
    </>
  );
}
