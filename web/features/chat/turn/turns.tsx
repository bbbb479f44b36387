import { useMemo } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message } from '#contract/chat.ts';
import type { ComposerState } from '../composer/composer-state.ts';
import { editsOf } from '../composer/draft-storage.ts';
import type { Turn } from '../messages/thread.ts';
import { NearContext, useNearWindow } from '../scroll/near-window.ts';
import { type TurnActions, TurnContext } from './turn-actions.ts';
import { TurnList } from './turn-list.tsx';
import './turns.css';

interface Exchanges {
  branch: { turns: readonly Turn[]; isEnd: boolean; choose: TurnActions['choose'] };
  /** The message on its way to the server, and the answer being written. */
  pending: Message | null;
  running: Message | undefined;
  state: ComposerState;
  sending: Pick<TurnActions, 'askBeside' | 'send'>;
  outgoing: Pick<TurnActions, 'isAsked'>;
}

interface TurnsProps {
  userId: string;
  conversation: Exchanges;
  models: readonly CatalogueModel[];
  model: CatalogueModel | undefined;
  chooseModel: TurnActions['chooseModel'];
  /** Puts a question into the composer. */
  fill: TurnActions['fill'];
  /** The box that they scroll in. */
  scroller: { current: HTMLElement | null };
}

/** The exchanges of the branch on screen, with all that can be done with them. */
export function Turns({ userId, conversation, models, model, chooseModel, fill, scroller }: TurnsProps) {
  const nearTurns = useNearWindow(scroller, true);
  const actions = useActions(userId, conversation, { models, model, chooseModel, fill });
  const { branch, pending } = conversation;
  return (
    <TurnContext value={actions}>
      <NearContext value={nearTurns}>
        <TurnList turns={branch.turns} pendingId={pending?.id ?? null} models={models} />
      </NearContext>
    </TurnContext>
  );
}

function useActions(
  userId: string,
  { branch, pending, running, state, sending: { askBeside, send }, outgoing: { isAsked } }: Exchanges,
  { models, model, chooseModel, fill }: Pick<TurnActions, 'models' | 'model' | 'chooseModel' | 'fill'>,
): TurnActions {
  const { turns, isEnd, choose } = branch;
  const edits = useMemo(() => editsOf(userId), [userId]);
  const canAsk = !pending && !running && state !== 'paused';
  const lastId = isEnd ? (turns.at(-1)?.message.id ?? null) : null;
  return useMemo(
    () => ({ models, model, chooseModel, canAsk, lastId, isAsked, askBeside, send, fill, choose, edits }),
    [models, model, chooseModel, canAsk, lastId, isAsked, askBeside, send, fill, choose, edits],
  );
}
