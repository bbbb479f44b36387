import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Message } from '#contract/chat.ts';
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { all, closePage, draw, find, openPage, pressKey } from '#test/dom/page.ts';
import { PATIENT } from '#test/patient.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { editsOf } from '../composer/draft-storage.ts';
import { type TurnActions, TurnContext } from './turn-actions.ts';
import { EditablePrompt } from './turn-prompt.tsx';

const MESSAGE = { id: 'm', content: '潮汐是怎么来的？' } as Message;

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

/** The question, drawn anew each time it is called. */
function drawPrompt(edits: TurnActions['edits']) {
  draw(
    <TranslationProvider language="zh" dictionary={zh}>
      <TurnContext value={{ models: [], canAsk: true, edits } as unknown as TurnActions}>
        <article tabIndex={-1}>
          <EditablePrompt message={MESSAGE} />
        </article>
      </TurnContext>
    </TranslationProvider>,
  );
}

test('a field that was opened stays open when its turn is drawn anew, until it is closed', async () => {
  const edits = editsOf('u');
  drawPrompt(edits);
  (await find('button', zh.chat.editPrompt)).click();
  await find('textarea', zh.chat.editPrompt);
  closePage();
  openPage('http://localhost');
  drawPrompt(edits);
  expect((await find<HTMLTextAreaElement>('textarea', zh.chat.editPrompt)).value).toBe(MESSAGE.content);
  (await find('button', zh.dialog.cancel)).click();
  await find('button', zh.chat.editPrompt);
  closePage();
  openPage('http://localhost');
  drawPrompt(edits);
  expect(all('textarea')).toHaveLength(0);
});

test('who closes the field by a key or by its button is at its turn then', async () => {
  drawPrompt(editsOf('u'));
  const press = async () => (await find('button', zh.dialog.cancel)).click();
  for (const close of [() => pressKey('Escape'), press]) {
    (await find('button', zh.chat.editPrompt)).click();
    const field = await find('textarea', zh.chat.editPrompt);
    await vi.waitFor(() => expect(document.activeElement).toBe(field), PATIENT);
    await close();
    await find('button', zh.chat.editPrompt);
    expect(document.activeElement).toBe(await find('article'));
  }
});

test('what was typed in a tab that was closed is in the field of the next one, which takes no focus', async () => {
  const kept = { text: '潮汐有多高？', at: Date.now() };
  localStorage.setItem('chat.draft.u.edit.m.closed', JSON.stringify(kept));
  drawPrompt(editsOf('u'));
  const field = await find<HTMLTextAreaElement>('textarea', zh.chat.editPrompt);
  expect(field.value).toBe(kept.text);
  expect(document.activeElement).not.toBe(field);
});
