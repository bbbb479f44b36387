import { describe, expect, it } from 'vitest';
import { WITHHELD_REASONS } from '#contract/admin/abuse.ts';
import { AUDIT_ACTS } from '#contract/admin/acts.ts';
import { UPSTREAM_ROLES } from '#contract/admin/models.ts';
import { FACT_KINDS, FACT_PROBLEMS, FACT_STATUSES } from '#contract/admin/order-facts.ts';
import { INBOX_STATUSES } from '#contract/admin/screens.ts';
import { cycleSchema, orderStatusSchema, planKeySchema, subscriptionStateSchema } from '#contract/billing.ts';
import { PROVIDERS } from '#contract/choices.ts';
import { entryKindSchema } from '#contract/credits.ts';
import zh from '#i18n/zh/admin.json' with { type: 'json' };

const CODES: [kind: keyof typeof zh.word, codes: readonly string[]][] = [
  ['act', [...AUDIT_ACTS, 'compare']],
  ['cycle', cycleSchema.options],
  ['entryKind', entryKindSchema.options],
  ['fact', FACT_KINDS],
  ['factProblem', FACT_PROBLEMS],
  ['factStatus', FACT_STATUSES],
  ['inboxStatus', INBOX_STATUSES],
  ['order', orderStatusSchema.options],
  ['plan', planKeySchema.options],
  ['provider', PROVIDERS],
  ['subscription', subscriptionStateSchema.options],
  ['upstreamRole', UPSTREAM_ROLES],
  ['withheld', WITHHELD_REASONS],
];

describe('every code of the contract has a word in the console', () => {
  it.each(CODES)('%s', (kind, codes) => {
    expect(Object.keys(zh.word[kind])).toEqual(expect.arrayContaining([...codes]));
  });
});
