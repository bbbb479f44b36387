import { afterEach, beforeEach, expect, test } from 'vitest';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { all, closePage, draw, find, openPage } from '#test/dom/page.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { Menu, MenuItem } from '../menu.tsx';
import { currentToasts, dismissToast } from '../toast-store.ts';
import { useMenuModule } from './use-menu-module.ts';

const DICTIONARY = { zh, en } as const;
const MODULE = { Menu, MenuItem };

beforeEach(() => openPage('http://localhost'));
afterEach(() => {
  closePage();
  for (const { id } of currentToasts()) dismissToast(id);
});

function LazyMenu({ load }: { load: () => Promise<typeof MODULE> }) {
  const { menu, openAtOnce, button } = useMenuModule(load);
  if (!menu)
    return (
      <button type="button" {...button}>
        Menu
      </button>
    );
  return (
    <menu.Menu trigger={<button type="button">Menu</button>} openAtOnce={openAtOnce}>
      <menu.MenuItem onSelect={() => {}}>One</menu.MenuItem>
    </menu.Menu>
  );
}

/** Draws a menu whose code does not come at the first `failures` times it is asked for; how often it was. */
function open(language: 'zh' | 'en', failures = 0) {
  const asked = { times: 0 };
  const load = async () => {
    asked.times += 1;
    if (asked.times <= failures) throw new TypeError('Failed to fetch dynamically imported module');
    return MODULE;
  };
  draw(
    <TranslationProvider language={language} dictionary={DICTIONARY[language]}>
      <LazyMenu load={load} />
    </TranslationProvider>,
  );
  return asked;
}

const press = (key: string) => new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });

test.each(['zh', 'en'] as const)(
  'in %s a menu whose code does not come says so with a way to reload, and opens at the next press',
  async (language) => {
    open(language, 1);
    (await find('button', 'Menu')).click();
    await expect
      .poll(() => currentToasts())
      .toMatchObject([
        {
          text: DICTIONARY[language].account.unreachable,
          action: { label: DICTIONARY[language].crash.reload },
        },
      ]);
    expect(all('[role=menuitem]')).toEqual([]);
    (await find('button', 'Menu')).click();
    await find('[role=menuitem]', 'One');
  },
);

test('a menu whose code does not come when its button has the focus says nothing', async () => {
  const asked = open('en', 1);
  (await find('button', 'Menu')).focus();
  expect(asked.times).toBe(1);
  await Promise.resolve();
  expect(currentToasts()).toEqual([]);
});

test.each(['ArrowDown', 'ArrowUp'])('%s on its button opens a menu that is not here yet', async (key) => {
  open('en');
  const button = await find('button', 'Menu');
  button.dispatchEvent(press(key));
  await find('[role=menuitem]', 'One');
});

test('a menu that came with the first press has the keyboard', async () => {
  open('en');
  (await find('button', 'Menu')).click();
  await find('[role=menuitem]', 'One');
  await expect.poll(() => document.activeElement?.getAttribute('role')).toBe('menuitem');
});
