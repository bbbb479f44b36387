import { test as base, expect } from '@playwright/test';
import type { Language } from '#contract/choices.ts';
import { WAIT_TIMEOUT_MS } from '#test/patient.ts';
import { lettersOf } from '../visitor.ts';
import { startFirefox } from './firefox.ts';
import { PASSWORD, Person } from './person.ts';
import type { Tab } from './tab.ts';
import { startWebkit } from './webkit.ts';

/** Paths of the programs, by browser; those without are not here (scripts/suite/other-browsers.ts). */
const PROGRAMS = JSON.parse(process.env.OTHER_BROWSERS ?? '{}') as {
  firefox?: { browser: string };
  webkit?: { driver: string; browser: string; display: string };
};

const test = base.extend<{ person: (tab: Tab, language: Language) => Person }>({
  person: async ({ baseURL }, use) => {
    const tabs: Tab[] = [];
    await use((tab, language) => {
      tabs.push(tab);
      return new Person(tab, language, baseURL ?? '');
    });
    for (const tab of tabs) await tab.close();
  },
});

const { firefox, webkit } = PROGRAMS;
const STARTS: [string, Language, () => Promise<Tab>][] = [
  ...(firefox ? [['Firefox', 'zh', () => startFirefox(firefox.browser)] as const] : []),
  ...(webkit ? [['WebKit', 'en', () => startWebkit(webkit)] as const] : []),
].map(([name, language, start]) => [name, language, start]);

const LONG = {
  zh: '/emulate long-answer characters=1600 讲一件需要耐心的事，带“引号”',
  en: '/emulate long-answer characters=1600 Tell me of something that takes patience',
};

for (const [name, language, start] of STARTS) {
  test(`${name}: an answer is read while it is written, over a reload, to its end`, async ({ person }) => {
    const me = person(await start(), language);
    await me.register();
    await me.fill('[data-composer]', LONG[language]);
    await me.tab.pressEnter();
    await me.isAt(new RegExp(`^/${language}/chat/[0-9a-f-]{36}$`));
    await expect.poll(async () => (await me.letters()).length).toBeGreaterThan(40);
    const early = await me.letters();
    await me.tab.open(await me.tab.url());
    await expect.poll(() => me.letters()).toContain(early.slice(0, 20));
    await expect
      .poll(async () => (await me.stored())[0]?.status, { timeout: 2 * WAIT_TIMEOUT_MS })
      .toBe('completed');
    const [message] = await me.stored();
    await expect.poll(() => me.letters()).toBe(lettersOf(message?.response ?? ''));
    expect(await me.balance()).toBe(25);
    const overflow = 'return document.documentElement.scrollHeight - innerHeight';
    expect(await me.tab.run<number>(overflow)).toBeLessThanOrEqual(0);
  });

  test(`${name}: signing out and in again, with a wrong password first`, async ({ person }) => {
    const me = person(await start(), language);
    await me.register();
    await me.press(me.say('nav.accountMenu'));
    await me.press(me.say('nav.logout'), '[role=menuitem]');
    await me.isAt(`/${language}`);
    await me.open(`/${language}/login`);
    await me.fill('input[name=email]', me.email);
    await me.fill('input[name=password]', 'not my password');
    await me.press(me.say('account.loginSubmit'));
    await me.sees(me.say('account.loginFailed'));
    await me.tab.run("document.querySelector('input[name=password]').select()");
    await me.tab.type(PASSWORD);
    await me.press(me.say('account.loginSubmit'));
    await me.isAt(`/${language}/chat`);
    await me.sees('40 Credits');
  });

  test(`${name}: a plan is bought at the provider’s page, and its Credits are there`, async ({ person }) => {
    const me = person(await start(), language);
    await me.register();
    await me.open(`/${language}/pricing`);
    await me.press(me.say('pricing.buy', { plan: language === 'zh' ? '基础版' : 'Basic' }));
    await me.pressOne('button[name=act][value=pay]');
    await me.sees(me.say('subscription.returnPaidTitle'));
    await me.isAt(`/${language}/subscription`);
    await expect.poll(() => me.balance()).toBeGreaterThan(500);
  });
}
