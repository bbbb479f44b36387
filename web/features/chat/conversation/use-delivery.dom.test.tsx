import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SendMessage } from '#contract/chat.ts';
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { closePage, draw, openPage } from '#test/dom/page.ts';
import { ApiError } from '#web/lib/api.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { Draft } from '../composer/draft.ts';
import { clearDoubtful } from '../messages/doubtful-messages.ts';
import { useDelivery } from './use-delivery.ts';

beforeEach(() => openPage('http://127.0.0.1'));
afterEach(() => {
  clearDoubtful();
  closePage();
});

const NOTHING = { messages: [], pause: null, beginPause: () => {} };
const MESSAGE: SendMessage = {
  ...{ id: 'm', conversationId: 'c', parentId: null, model: 'm', maxCredits: 15 },
  content: '继续',
};

let delivery: ReturnType<typeof useDelivery>;
function Page({ draft }: { draft: Draft }) {
  delivery = useDelivery({ ...NOTHING, conversationId: 'c', draft });
  return null;
}

/** Has the message in the message box go out. */
function send(): Draft {
  const draft = new Draft('u', 'c');
  draw(
    <TranslationProvider language="zh" dictionary={zh}>
      <QueryClientProvider client={new QueryClient()}>
        <Page draft={draft} />
      </QueryClientProvider>
    </TranslationProvider>,
  );
  draft.write(MESSAGE.content);
  delivery.begin(MESSAGE);
  return draft;
}

test('the same words, written while a message is on its way, are not taken for it', () => {
  const draft = send();
  expect(draft.read()).toBe('');
  draft.write(MESSAGE.content);
  delivery.arrived(MESSAGE);
  expect(draft.read()).toBe(MESSAGE.content);
});

test('a message that came back leaves the message box once it is known to have arrived', () => {
  const draft = send();
  delivery.refused(new ApiError('network'), MESSAGE);
  expect(draft.read()).toBe(MESSAGE.content);
  delivery.arrived(MESSAGE);
  expect(draft.read()).toBe('');
});
