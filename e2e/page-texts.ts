import type { Page } from '@playwright/test';
import type { Language } from '#contract/choices.ts';

/** What gives away a text of the other language: a run of small English words, or Chinese. */
const FOREIGN: Record<Language, RegExp> = {
  zh: /[a-z]+ (?:[a-z]+ )+[a-z]+/,
  en: /[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]/,
};

/** Texts of a page, seen or read aloud, that are not marked as another language's; those inside `without` are left out. */
export async function pageTexts(page: Page, without: string): Promise<string[]> {
  return page.locator('html').evaluate((root, left) => {
    const language = root.getAttribute('lang');
    const texts = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      const text = node.textContent?.trim() ?? '';
      if (!parent || text === '' || parent.closest(left)) continue;
      if (parent.closest('[lang]')?.getAttribute('lang') === language) texts.push(text);
    }
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [alt], meta')) {
      if (element.closest('[lang]')?.getAttribute('lang') !== language) continue;
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'content'])
        texts.push(element.getAttribute(name) ?? '');
    }
    return texts.filter((text) => text !== '');
  }, `script, style, noscript, ${without}`);
}

/** Those texts that are in the wrong language. */
export function foreignTexts(texts: string[], language: Language): string[] {
  return texts.filter((text) => FOREIGN[language].test(text));
}
