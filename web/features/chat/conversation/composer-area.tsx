import type { CatalogueModel } from '#contract/catalogue.ts';
import { useLanguage } from '#web/lib/use-language.ts';
import { Composer, type ComposerState } from '../composer/composer.tsx';
import type { Draft } from '../composer/draft.ts';
import { Reconnecting } from '../composer/reconnecting.tsx';
import type { ConversationState } from './use-conversation.ts';

interface ComposerAreaProps {
  draft: Draft;
  conversation: ConversationState;
  model: CatalogueModel | undefined;
  credits: number;
}

/** The composer of one conversation, with what it needs to know of it. */
export function ComposerArea({ draft, conversation, model, credits }: ComposerAreaProps) {
  const language = useLanguage();
  return (
    <>
      {conversation.running ? null : <Reconnecting />}
      <Composer
        draft={draft}
        state={composerState(conversation, model)}
        sendingText={conversation.pending?.content ?? null}
        cost={model?.cost ?? null}
        credits={credits}
        modelTitle={model?.title[language] ?? ''}
        problem={conversation.problem}
        onSend={conversation.send}
        onStop={conversation.stop}
      />
    </>
  );
}

function composerState(conversation: ConversationState, model: CatalogueModel | undefined): ComposerState {
  if (conversation.pending) return 'sending';
  if (conversation.running) return 'running';
  const { state } = conversation.loaded;
  if (state === 'ready') return model ? 'ready' : 'loading';
  return state === 'loading' ? 'loading' : 'unavailable';
}
