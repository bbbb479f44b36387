import { randomUUID } from 'node:crypto';
import {
  type Browser,
  type BrowserContextOptions,
  test as base,
  expect,
  type Locator,
  type Page,
} from '@playwright/test';
import type { Message, MessagePage } from '#contract/chat.ts';
import type { Language } from '#contract/choices.ts';
import { LOCALE, type Say, sayIn } from './texts.ts';

export { expect };

export const PASSWORD = 'correct horse';

/** Before a question: the emulated model says a few words and is done. */
export const BRIEFLY = '/emulate max-tokens ';

/** One person at one browser tab, in one language. */
export class Visitor {
  readonly page: Page;
  readonly language: Language;
  readonly say: Say;
  readonly email: string;

  constructor(page: Page, language: Language, email = `${randomUUID()}@example.com`) {
    this.page = page;
    this.language = language;
    this.email = email;
    this.say = sayIn(language);
  }

  get composer(): Locator {
    return this.page.getByRole('textbox', { name: this.say('chat.prompt') });
  }

  get sendButton(): Locator {
    return this.page.getByRole('button', { name: this.say('chat.send'), exact: true });
  }

  get stopButton(): Locator {
    return this.page.getByRole('button', { name: this.say('chat.stop'), exact: true });
  }

  /** The title of a model of our own: `Flash` or `Pro`. */
  ownModel(name: 'Flash' | 'Pro'): string {
    return `${this.language === 'zh' ? '对谈' : 'Parley'} ${name}`;
  }

  /** The label above the chat that opens the menu of models, while our own default is in use. */
  get modelButton(): Locator {
    return this.page.getByRole('button', { name: new RegExp(`${this.ownModel('Flash')}$`) });
  }

  /** The mark in the chat, which opens the links of the site. */
  get siteMenu(): Locator {
    return this.page.getByRole('button', { name: new RegExp(`(^|\\s)${this.say('nav.menu')}$`) });
  }

  /** The title of the conversation on screen, which opens its menu. */
  get titleButton(): Locator {
    return this.page.getByRole('heading', { level: 1 }).getByRole('button');
  }

  /** The exchanges on screen, oldest first. */
  get turns(): Locator {
    return this.page.getByRole('article');
  }

  /** The text of the newest answer. */
  get answer(): Locator {
    return this.turns.last().locator('.answer');
  }

  /** Letters, digits and Chinese characters of the newest answer on screen; compare with `lettersOf`. */
  async letters(): Promise<string> {
    return this.answer.evaluate((answer) => {
      const copy = answer.cloneNode(true) as typeof answer;
      for (const caption of copy.querySelectorAll('figcaption')) caption.remove();
      return (copy.textContent ?? '').replace(/[^\p{L}\p{N}]/gu, '');
    });
  }

  get alerts(): Locator {
    return this.page.getByRole('alert');
  }

  /** The same person in one more tab of this browser. */
  async openTab(url: string): Promise<Visitor> {
    const other = new Visitor(await this.page.context().newPage(), this.language, this.email);
    await other.page.goto(url);
    return other;
  }

  /** The same person at another browser, signed out; its context is to be closed. */
  async elsewhere(browser: Browser, options: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await browser.newContext({ locale: LOCALE[this.language], ...options });
    return new Visitor(await context.newPage(), this.language, this.email);
  }

  /** Opens an account without its form. */
  async openAccount(email = this.email): Promise<void> {
    const response = await this.page.request.post('/api/auth/sign-up/email', {
      data: { email, password: PASSWORD, name: 'Wanderer' },
      headers: { 'accept-language': LOCALE[this.language] },
    });
    expect(response.status(), await response.text()).toBe(200);
  }

  /** Signs in without the form. */
  async signIn(password = PASSWORD): Promise<void> {
    const { email } = this;
    const response = await this.page.request.post('/api/auth/sign-in/email', { data: { email, password } });
    expect(response.status(), await response.text()).toBe(200);
    expect(await response.json()).toMatchObject({ user: { email } });
  }

  /** Fills the form that opens an account, and sends it. */
  async sendRegistration(): Promise<void> {
    const { page, say } = this;
    await page.goto(`/${this.language}/register`);
    const submit = page.getByRole('button', { name: say('account.registerSubmit'), exact: true });
    await expect(submit).toBeEnabled();
    await page.getByLabel(say('account.email')).fill(this.email);
    await page.getByLabel(say('account.password'), { exact: true }).fill(PASSWORD);
    await page.getByLabel(say('account.confirmation'), { exact: true }).fill(PASSWORD);
    await page.getByRole('checkbox').check();
    await submit.click();
  }

  /** Opens an account by its form, which leads to the chat. */
  async register(): Promise<void> {
    await this.sendRegistration();
    await expect(this.page).toHaveURL(`/${this.language}/chat`);
  }

  /** Opens an account without its form, and the chat. */
  async signUp(path = 'chat'): Promise<void> {
    await this.openAccount();
    await this.page.goto(`/${this.language}/${path}`);
    if (path === 'chat') await expect(this.modelButton).toBeEnabled();
  }

  /** Types a question and sends it with Enter, once its price stands there: what costs more than was seen is not sent. */
  async ask(question: string): Promise<void> {
    await this.composer.fill(question);
    await expect(this.sendButton).toBeEnabled();
    const pending = this.page.getByText(this.say('quote.pending'), { exact: true });
    await expect(pending.or(this.page.locator('[aria-haspopup=dialog][aria-busy=true]'))).toHaveCount(0);
    await this.composer.press('Enter');
  }

  /** Waits until nothing runs and the composer takes the next question. */
  async rest(): Promise<void> {
    await expect(this.sendButton).toBeVisible({ timeout: 40_000 });
    await expect(this.sendButton).not.toHaveAttribute('aria-busy');
  }

  async expectCredits(credits: number): Promise<void> {
    const text = credits.toLocaleString('en-US');
    await expect(this.page.getByRole('banner')).toContainText(new RegExp(`(^|[^\\d,])${text}\\sCredits`));
  }

  /** What the server keeps of the conversation on screen. */
  async stored(): Promise<Message[]> {
    const id = new URL(this.page.url()).pathname.split('/')[3] ?? '';
    const response = await this.page.request.get(`/api/messages?conversationId=${id}`);
    return ((await response.json()) as MessagePage).messages;
  }

  /** What the server says the user has. */
  async balance(): Promise<number> {
    const response = await this.page.request.get('/api/me');
    return ((await response.json()) as { credits: number }).credits;
  }
}

/** What Markdown shows and what it is written as have in common: all but marks, list numbers and the language of code. */
export function lettersOf(markdown: string): string {
  return markdown
    .replace(/^\s*\d+\. /gm, '')
    .replace(/^```\w*/gm, '')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** A test with a visitor at a fresh browser: `visitor('zh')`. Where it fails, it prints what its page shows and complained of. */
export const test = base.extend<{ visitor: (language: Language) => Visitor }>({
  visitor: async ({ page }, use, info) => {
    const complaints: string[] = [];
    page.on('console', (said) => said.type() === 'error' && complaints.push(said.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('requestfailed', (request) =>
      complaints.push(`${request.method()} ${request.url()}: ${request.failure()?.errorText}`),
    );
    await use((language) => new Visitor(page, language));
    if (info.status === info.expectedStatus) return;
    const shown = await page.locator('body').ariaSnapshot({ timeout: 5_000 }).catch(String);
    const lines = [`${info.title}: ${page.url()}`, ...complaints.slice(-20), ...shown.split('\n').slice(-60)];
    process.stdout.write(`${lines.join('\n').replaceAll(/^/gm, '    | ')}\n`);
  },
});
