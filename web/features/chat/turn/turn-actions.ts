import { createContext, useContext } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message } from '#contract/chat.ts';
import type { Edits } from '../composer/draft-storage.ts';
import type { Extras } from '../quote/use-quote.ts';

/** What can be done with the exchanges on screen. */
export interface TurnActions {
  models: readonly CatalogueModel[];
  /** The model that the next message goes to. */
  model: CatalogueModel | undefined;
  /** Changes it. */
  chooseModel(id: string): void;
  /** Nothing is on its way, nothing is being answered here, and sending does not pause. */
  canAsk: boolean;
  /** Asks beside a message: the same question again, or another one; true when the server has it. */
  askBeside(message: Message, asked: { content?: string; model: CatalogueModel }): Promise<boolean>;
  /** The exchange at the end of the branch; null while that is not on screen. */
  lastId: string | null;
  /** The price of what is asked beneath the last exchange is known to the server alone, even of a text. */
  isAsked: boolean;
  /** Asks beneath the last exchange, of the model in use; `max`: the most that was shown that it costs. */
  send(content: string, extras: Extras, max: number): Promise<void>;
  /** Puts a question into the composer, before what is there. */
  fill(question: string): void;
  /** Shows one exchange instead of its sibling. */
  choose(messageId: string): void;
  /** Prompts being edited: what is typed outlives the turn's place on screen, and the page. */
  edits: Edits;
}

const NOTHING: TurnActions = {
  models: [],
  model: undefined,
  chooseModel: () => {},
  canAsk: false,
  askBeside: async () => false,
  lastId: null,
  isAsked: false,
  send: async () => {},
  fill: () => {},
  choose: () => {},
  edits: Object.assign(new Map<string, string>(), { adopt: async () => false }),
};

export const TurnContext = createContext<TurnActions>(NOTHING);

export function useTurnActions(): TurnActions {
  return useContext(TurnContext);
}

/** Gives the focus to the turn of an element that goes while it has it; for `ref`. From the body Tab would begin at the top of the page. */
export function leaveFocusToTurn(element: HTMLElement | null): () => void {
  return () => {
    if (element?.contains(document.activeElement)) element.closest('article')?.focus({ preventScroll: true });
  };
}

/** A small thing that can be done with an exchange. */
export const TURN_ACTION =
  'inline-flex min-h-8 min-w-8 items-center justify-center gap-1.5 rounded-control px-1.5 text-soft hover:bg-sunken hover:text-ink disabled:opacity-40 disabled:hover:bg-transparent pointer-coarse:min-h-11 pointer-coarse:min-w-10';

/** A way on beneath an answer, with its price. */
export const TURN_BUTTON =
  'inline-flex min-h-8 items-center gap-1.5 rounded-control px-2 text-ink hover:bg-sunken pointer-coarse:min-h-11 print:hidden';

/** Shown when the exchange is pointed at or has the focus; always in the last one on screen, and where there is no pointer. */
export const QUIET =
  'pointer-fine:opacity-0 focus-visible:opacity-100 group-last-of-type/turn:opacity-100 group-focus-within/turn:opacity-100 group-hover/turn:opacity-100 aria-expanded:opacity-100 transition-opacity';
