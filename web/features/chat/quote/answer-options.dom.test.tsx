import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SendOptions } from '#contract/message/quotes.ts';
import { closePage, draw, find, openPage } from '#test/dom/page.ts';
import { clearAnswerOptions, useAnswerOptions } from './answer-options.ts';

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

/** The choice of searching in a conversation, whose last message was sent with `last`. */
function Choice({ of, last }: { of: string; last?: SendOptions }) {
  const { chosen, choose } = useAnswerOptions(of, last);
  return (
    <button type="button" onClick={() => choose({ search: 'always' })}>
      {chosen.search ?? 'off'}
    </button>
  );
}

/** Draws each as a page that was opened anew, and returns what is chosen there. */
async function seen(of: string, last?: SendOptions): Promise<string | null> {
  draw(<Choice of={of} {...(last ? { last } : {})} />);
  return (await find('body > :last-child button')).textContent;
}

test('a choice is remembered for its conversation alone, before what its last message was sent with', async () => {
  expect(await seen('one')).toBe('off');
  (await find('button')).click();
  await find('button', 'always');
  expect(await seen('one', { search: 'auto' })).toBe('always');
  expect(await seen('two')).toBe('off');
  expect(await seen('three', { search: 'auto' })).toBe('auto');
});

test('signing out forgets it', async () => {
  expect(await seen('one')).toBe('off');
  (await find('button')).click();
  await find('button', 'always');
  clearAnswerOptions();
  expect(await seen('one')).toBe('off');
});
