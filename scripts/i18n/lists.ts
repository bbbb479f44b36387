const SPECIFIED = 'specified';

/** Keys whose wording is given, by the specification if nothing else is said; typography does not touch them. */
export const EXACT: Record<string, string> = {
  'account.loginBusy': SPECIFIED,
  'account.registerBusy': SPECIFIED,
  'account.passwordTooShort': SPECIFIED,
  'errors.insufficient_credits': SPECIFIED,
  'errors.password_too_short': SPECIFIED,
  'home.sample.answer': 'an answer spoken to a grandmother, who is 您',
};

/** Keys whose text may be without Chinese in zh, or with Chinese in en. */
export const ALIKE: Record<string, string> = {
  'language.other': 'each language is named in its own words',
};

/** Beginnings of keys that are put together at run time, each with the place of the other half. */
export const DYNAMIC_PREFIXES: Record<string, string> = {
  'errors.': 'the codes of contract/errors.ts',
  'page.': 'the pages of web/lib/pages.ts',
  'theme.': 'the choices of web/lib/theme.ts',
};
