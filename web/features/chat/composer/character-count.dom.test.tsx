import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { all, draw, find, openStillPage } from '#test/dom/page.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { CharacterCount } from './character-count.tsx';
import { Draft } from './draft.ts';

test('a question is counted against the limit of this server', async () => {
  openStillPage();
  const client = new QueryClient();
  client.setQueryData(['catalogue'], { models: [], promptLimit: 100 });
  const draft = new Draft('u', 'c');
  draw(
    <TranslationProvider language="zh" dictionary={zh}>
      <QueryClientProvider client={client}>
        <CharacterCount draft={draft} />
      </QueryClientProvider>
    </TranslationProvider>,
  );
  const [status] = all('[role=status]');
  expect(status?.textContent).toBe('');
  draft.write('长'.repeat(101));
  const count = await find('span', '101 / 100 字符');
  expect(count.className).toContain('text-danger');
  expect(all('[role=status]')).toEqual([status]);
  expect(status?.textContent).toBe(zh.chat.tooLong);
});
