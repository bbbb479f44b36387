import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Message } from '#contract/chat.ts';
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { closePage, draw, find, openPage } from '#test/dom/page.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { TitleField } from '../list/title-field.tsx';
import { PromptEditor } from '../turn/prompt-editor.tsx';
import { type TurnActions, TurnContext } from '../turn/turn-actions.ts';
import { Composer } from './composer.tsx';
import { Draft } from './draft.ts';
import { editsOf } from './draft-storage.ts';
import type { Carried } from './extras-note.tsx';

const NOTHING_CARRIED: Carried = {
  files: { ids: [], state: 'none', needsVision: false },
  quote: { max: null, lines: [], error: null, isPending: false, isUnread: false, retry: () => {} },
  options: { chosen: {}, choose: () => {} },
  conversationId: 'c',
  isUnseeing: false,
};

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

function NewQuestion() {
  return (
    <Composer
      draft={new Draft('u', 'c')}
      state="loading"
      models={[]}
      model={undefined}
      onChooseModel={() => {}}
      credits={0}
      isAnswered={false}
      outgoing={NOTHING_CARRIED}
      problem={null}
      isShort={false}
      isQueueing={false}
      onSubmit={() => {}}
      isAwaited={false}
      onChange={() => {}}
      onStop={async () => true}
    />
  );
}

function EditedQuestion() {
  return (
    <TurnContext value={{ models: [], canAsk: true, edits: editsOf('u') } as unknown as TurnActions}>
      <PromptEditor message={{ id: 'm', content: 'שלום' } as Message} takesFocus={false} onClose={() => {}} />
    </TurnContext>
  );
}

function Title() {
  return <TitleField title="שלום" onDone={() => {}} />;
}

test.each([
  ['a question', NewQuestion],
  ['an edited question', EditedQuestion],
  ['a title', Title],
])('%s is written in the direction of its own text', async (_, Field) => {
  draw(
    <MemoryRouter>
      <QueryClientProvider client={new QueryClient()}>
        <TranslationProvider language="zh" dictionary={zh}>
          <Field />
        </TranslationProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  );
  expect((await find('textarea, input')).getAttribute('dir')).toBe('auto');
});
