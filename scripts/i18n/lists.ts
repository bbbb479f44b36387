/** Keys whose wording the specification gives; typography does not touch them. */
export const EXACT: Record<string, string> = {};

/** Keys whose text may be without Chinese in zh, or with Chinese in en. */
export const ALIKE: Record<string, string> = {};

/** Beginnings of keys that are put together at run time, each with the place of the other half. */
export const DYNAMIC_PREFIXES: Record<string, string> = {
  'errors.': 'the codes of contract/errors.ts',
  'page.': 'the pages of web/lib/pages.ts',
  'theme.': 'the choices of web/lib/theme.ts',
};
