import { createContext, useContext } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message } from '#contract/chat.ts';

/** What can be done with the exchanges on screen. */
export interface TurnActions {
  models: readonly CatalogueModel[];
  /** The model that the next message goes to. */
  model: CatalogueModel | undefined;
  /** Nothing is on its way and nothing is being answered here. */
  canAsk: boolean;
  /** Asks beside a message: the same question again, or another one; true when the server has it. */
  askBeside(message: Message, asked: { content?: string; model: CatalogueModel }): Promise<boolean>;
  /** The exchange at the end of the branch on screen; null while there is none. */
  lastId: string | null;
  /** Asks beneath the last exchange, of the model in use. */
  send(content: string): void;
  /** Shows one exchange instead of its sibling. */
  choose(message: Message): void;
  /** Prompts being edited, by message id: what is typed outlives the turn's place on screen. */
  edits: Map<string, string>;
}

const NOTHING: TurnActions = {
  models: [],
  model: undefined,
  canAsk: false,
  askBeside: async () => false,
  lastId: null,
  send: () => {},
  choose: () => {},
  edits: new Map(),
};

export const TurnContext = createContext<TurnActions>(NOTHING);

export function useTurnActions(): TurnActions {
  return useContext(TurnContext);
}
