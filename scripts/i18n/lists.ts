const SPECIFIED = 'specified';

/** Keys whose wording is given, by the specification if nothing else is said; typography does not touch them. */
export const EXACT: Record<string, string> = {
  'account.loginBusy': SPECIFIED,
  'account.registerBusy': SPECIFIED,
  'account.passwordTooShort': SPECIFIED,
  'google.signInFailed': SPECIFIED,
  'google.signUpFailed': SPECIFIED,
  'errors.insufficient_credits': SPECIFIED,
  'errors.password_too_short': SPECIFIED,
  'errors.unauthenticated': SPECIFIED,
  'home.sample.answer': 'an answer spoken to a grandmother, who is 您',
};

/** Keys whose text may be without Chinese in zh, or with Chinese in en. */
export const ALIKE: Record<string, string> = {
  'errors.payment_provider_failed': 'a sentence of `billing.providerFault`, or what the provider said',
  'files.bytes': 'a unit',
  'files.kilobytes': 'a unit',
  'files.megabytes': 'a unit',
  'files.gigabytes': 'a unit',
  'files.tokens': 'the trade’s word, as in “上下文 128K tokens”',
  'language.other': 'each language is named in its own words',
  'look.en': 'each language is named in its own words',
  'look.zh': 'each language is named in its own words',
};

/** Beginnings of keys that are put together at run time, each with the place of the other half. */
export const DYNAMIC_PREFIXES: Record<string, string> = {
  'admin.act.': 'the acts of contract/admin/acts.ts',
  'admin.acts.outcome.': 'the states of contract/admin/acts.ts',
  'admin.actText.': 'the acts of contract/admin/acts.ts',
  'admin.alert.':
    'the kinds of contract/admin/alerts.ts, and the states of server/admin/alerts/send-alerts.ts',
  'admin.bucket.': 'the counters of web/features/admin/user/user-credits.tsx',
  'admin.effect.': 'the effects of contract/admin/acts.ts',
  'admin.screen.': 'the screens of web/features/admin/shell/screens.ts',
  'admin.word.': 'the codes that the server stores; web/features/admin/show/use-words.ts',
  'accountPages.': 'the sections of web/lib/pages.ts',
  'billing.providerFault.': 'the kinds of server/billing/providers/provider-error.ts',
  'errors.': 'the codes of contract/errors.ts',
  'computer.ask.title.': 'the reasons of contract/message/parts.ts',
  'computer.ask.text.': 'the reasons of contract/message/parts.ts',
  'computer.ask.done.': 'the states of contract/message/parts.ts',
  'computer.stepError.': 'the errors of contract/message/parts.ts',
  'faq.groups.': 'the groups of web/pages/faq.tsx',
  'faq.items.': 'the questions of web/pages/layout/question-list.tsx',
  'feature.': 'the features that web/pages lists',
  'features.chapters.': 'the chapters of web/pages/features.tsx',
  'home.points.': 'the points of web/pages/home/points.tsx',
  'ledger.kind.': 'the kinds of contract/credits.ts',
  'ledger.reason.': 'the codes that the ledger stores',
  'models.tier.': 'the tiers of contract/catalogue.ts',
  'nav.': 'the pages of web/lib/pages.ts',
  'notConfigured.': 'the keys of i18n/error-key.ts',
  'orders.status.': 'the statuses of contract/billing.ts',
  'page.': 'the pages of web/lib/pages.ts',
  'pictures.': 'the scenes of web/pages/home/product-picture.tsx',
  'pricing.extras.': 'the extras of web/pages/plans/pricing.tsx',
  'priceLine.': 'the kinds of contract/message/quotes.ts',
  'subscription.cycle.': 'the cycles of contract/billing.ts',
  'theme.': 'the choices of web/lib/theme.ts',
};
