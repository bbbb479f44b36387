/** Budgets in kB (1,000 bytes) of bodies as transferred. */
export const BUDGETS = {
  publicScript: 125,
  chatScript: 165,
  chatScriptWithRenderer: 240,
  fonts: 60,
} as const;

/** Lighthouse's scores may not be below these. */
export const SCORES = { performance: 97, accessibility: 100, 'best-practices': 100, seo: 100 } as const;

/** The same of the chat, signed in: it waits for who reads. */
export const CHAT_PERFORMANCE = 95;
