import { expect, test, vi } from 'vitest';
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { all, draw, openStillPage } from '#test/dom/page.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { RemotePicture } from './remote-picture.tsx';

test('a picture whose frame does not answer can be asked for again', async () => {
  openStillPage();
  draw(
    <TranslationProvider language="zh" dictionary={zh}>
      <RemotePicture src="https://pictures.test/tea.png" alt="茶" />
    </TranslationProvider>,
  );
  all('button', zh.chat.imageLoad)[0]?.click();
  await vi.waitFor(() => expect(document.querySelector('iframe')).not.toBeNull());
  await vi.advanceTimersByTimeAsync(20_000);
  await vi.waitFor(() => expect(all('button', zh.chat.imageRetry)).toHaveLength(1));
});
