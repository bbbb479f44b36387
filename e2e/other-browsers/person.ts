import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import type { Message, MessagePage } from '#contract/chat.ts';
import type { Language } from '#contract/choices.ts';
import { type Say, sayIn } from '../texts.ts';
import type { Tab } from './tab.ts';

export const PASSWORD = 'correct horse';

/** Where a reader may press: the page, its header, and what lies above them. */
const PLACES = ['main', 'header', 'dialog[open]', '[popover]:popover-open'];

/** Marks what has a name, by the words that a reader sees or hears, and can be pressed: all of its words, else a part of them. */
const MARK = `
  const namesOf = (element) => [element.getAttribute('aria-label'), element.textContent].map((text) => (text ?? '').trim());
  for (const one of document.querySelectorAll('[data-wanted]')) one.removeAttribute('data-wanted');
  const selector = argument.places.map((place) => place + ' ' + argument.kind).join();
  const all = [...document.querySelectorAll(selector)].filter((one) => !one.disabled && one.checkVisibility());
  const found =
    all.find((one) => namesOf(one).includes(argument.name)) ??
    all.find((one) => namesOf(one).some((text) => text.includes(argument.name)));
  found?.setAttribute('data-wanted', '');
  return found !== undefined;`;

/** Text of the newest answer without the captions of its code. */
const ANSWER = `
  const copy = [...document.querySelectorAll('.answer')].at(-1)?.cloneNode(true);
  for (const caption of copy?.querySelectorAll('figcaption') ?? []) caption.remove();
  return copy?.textContent ?? '';`;

/** One person at a browser that Playwright does not drive. */
export class Person {
  readonly say: Say;
  readonly email = `${randomUUID()}@example.com`;
  readonly tab: Tab;
  readonly language: Language;
  private readonly origin: string;

  constructor(tab: Tab, language: Language, origin: string) {
    this.tab = tab;
    this.language = language;
    this.origin = origin;
    this.say = sayIn(language);
  }

  open(path: string): Promise<void> {
    return this.tab.open(this.origin + path);
  }

  /** Waits until the page shows a text. */
  async sees(text: string): Promise<void> {
    // Between two pages there is none to ask.
    const script = String.raw`return document.body?.innerText.replaceAll('\u00a0', ' ') ?? ''`;
    const look = () => this.tab.run<string>(script).catch(() => '');
    await expect.poll(look, `the page says “${text}”`).toContain(text);
  }

  /** Waits for the path of the page. */
  async isAt(path: string | RegExp): Promise<void> {
    const look = async () => new URL(await this.tab.url()).pathname;
    await expect.poll(look).toMatch(typeof path === 'string' ? new RegExp(`^${path}$`) : path);
  }

  /** Presses what has this name, once it is there. */
  async press(name: string, kind = 'button'): Promise<void> {
    await expect
      .poll(() => this.tab.run<boolean>(MARK, { name, kind, places: PLACES }), `there is “${name}” to press`)
      .toBe(true);
    await this.tab.click('[data-wanted]');
  }

  /** The same of what a selector finds. */
  async pressOne(selector: string): Promise<void> {
    const isThere = () => this.tab.run<boolean>('return document.querySelector(argument) !== null', selector);
    await expect.poll(isThere, `there is ${selector}`).toBe(true);
    await this.tab.click(selector);
  }

  /** Types into a field, which gets the focus by a press. */
  async fill(selector: string, text: string): Promise<void> {
    await this.pressOne(selector);
    await this.tab.type(text);
  }

  /** Opens an account by its form, which leads to the chat. */
  async register(): Promise<void> {
    await this.open(`/${this.language}/register`);
    await this.fill('input[name=email]', this.email);
    await this.fill('input[name=password]', PASSWORD);
    await this.fill('input[name=confirmation]', PASSWORD);
    await this.tab.click('main input[type=checkbox]');
    await this.press(this.say('account.registerSubmit'));
    await this.isAt(`/${this.language}/chat`);
  }

  /** What the server keeps of the conversation on screen. */
  async stored(): Promise<Message[]> {
    const body = `
      const id = location.pathname.split('/')[3];
      return await (await fetch('/api/messages?conversationId=' + id)).json();`;
    return (await this.tab.run<MessagePage>(body)).messages;
  }

  async balance(): Promise<number> {
    return this.tab.run<number>("return (await (await fetch('/api/me')).json()).credits");
  }

  /** Letters and figures of the newest answer on screen. */
  async letters(): Promise<string> {
    return (await this.tab.run<string>(ANSWER)).replace(/[^\p{L}\p{N}]/gu, '');
  }
}
