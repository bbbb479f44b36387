import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message } from '#contract/chat.ts';
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { all, closePage, draw, find, openPage, pressKey } from '#test/dom/page.ts';
import { PATIENT } from '#test/patient.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { createTranslate } from '#web/lib/translate.ts';
import { type TurnActions, TurnContext } from './turn-actions.ts';
import { TurnFooter } from './turn-footer.tsx';

const t = createTranslate('zh', zh);
const MODEL = {
  ...{ id: 'm', title: { zh: 'm', en: 'm' }, cost: 15, allowed: true, paused: false },
  ...{ efforts: [], pictures: null, tools: { search: false, code: false, addresses: false } },
} as unknown as CatalogueModel;
const STOPPED = {
  ...{ id: 'stopped', status: 'stopped', modelType: 'm', content: '?', response: '', timestamp: 0 },
  ...{ creditsUsed: 15, quote: { max: 15, lines: [{ kind: 'message', max: 15, params: {} }] } },
} as unknown as Message;

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

/** A turn in which nothing can be asked any more once something is asked. */
function Turn() {
  const [canAsk, setCanAsk] = useState(true);
  const askBeside = async () => {
    setCanAsk(false);
    return true;
  };
  return (
    <TurnContext value={{ canAsk, askBeside, model: MODEL, models: [MODEL] } as unknown as TurnActions}>
      <article tabIndex={-1}>
        <TurnFooter
          message={STOPPED}
          modelTitle="m"
          versions={{ place: 1, count: 1, older: undefined, newer: undefined }}
          runState={null}
        />
      </article>
    </TurnContext>
  );
}

function open() {
  draw(
    <TranslationProvider language="zh" dictionary={zh}>
      <Turn />
    </TranslationProvider>,
  );
}

/** Expects the focus on the turn once the button of that name is gone. */
async function expectFocusOnTurn(name: string) {
  await vi.waitFor(() => expect(all('button', name)).toEqual([]), PATIENT);
  expect(document.activeElement).toBe(await find('article'));
}

test('a button that goes with what it asked leaves the focus in its turn', async () => {
  open();
  const name = t('chat.retryFor', { cost: 15 });
  (await find('button', name)).focus();
  pressKey('Enter');
  await expectFocusOnTurn(name);
});

test('a menu whose button goes with what it asked leaves the focus there too', async () => {
  open();
  (await find('button', t('chat.regenerate'))).focus();
  pressKey('Enter');
  (await find('[role=menuitem]', 'm')).click();
  await expectFocusOnTurn(t('chat.regenerate'));
});
