import { describe, expect, it } from 'vitest';
import { ALERT_KINDS } from '#contract/admin/alerts.ts';
import { LANGUAGES } from '#contract/choices.ts';
import type { Deps } from '#server/deps.ts';
import type { TriedMail } from '#server/platform/mail/mail-queue.ts';
import { composeOperatorAlert } from './compose-operator-alert.ts';

const compose = composeOperatorAlert({ config: { publicUrl: 'https://chat.test' } as Deps['config'] });
/** Answers and requests that fail are ten at least. */
const ONES = { count: 1, all: 10, faults: 1, users: 1, minutes: 1, freeMb: 1, percent: 1, days: 1 };

/** The mail of an alert of which every number is one. */
const mailOf = async (params: Record<string, string | number>, language: 'zh' | 'en') => {
  const all = { ...ONES, usd: '1.00', subject: 'that', state: 'raised', raisedAt: 0, ...params };
  const mail = { language, params: all, to: 'operator@example.test' } as unknown as TriedMail;
  return (await compose.operator_alert?.(mail)) ?? null;
};

describe('the text of an alert', () => {
  it.each(ALERT_KINDS)('names one thing as one, and leaves no gap: %s', async (kind) => {
    const mail = await mailOf({ kind }, 'en');
    expect(mail?.subject).not.toMatch(/\b1 [a-z]+s\b/);
    for (const language of LANGUAGES) {
      const { subject, paragraphs } = (await mailOf({ kind }, language)) ?? {};
      expect([subject, ...(paragraphs ?? [])].join(' ')).not.toMatch(/\{\{|admin\./);
    }
  });

  it.each([
    ['zh', '需要处理：文件、搜索一天亏损 1.00 美元'],
    ['en', 'Needs attention: Files, Search lost 1.00 US dollars in a day'],
  ] as const)('of a loss names what answers used in the words of %s', async (language, subject) => {
    const params = { kind: 'sold_below_cost', of: 'feature', subject: 'files+search' };
    expect((await mailOf(params, language))?.subject).toBe(subject);
    const model = { kind: 'sold_below_cost', of: 'model', subject: 'parley-flash' };
    expect((await mailOf(model, language))?.subject).toContain('parley-flash');
  });

  it.each(['disk_full', 'requests_failing'])('names the machine: %s', async (kind) => {
    for (const language of LANGUAGES)
      expect((await mailOf({ kind, subject: 'web-2' }, language))?.subject).toContain('web-2');
  });

  it.each(LANGUAGES)('of an end does not say that its cause is gone: %s', async (language) => {
    const mail = await mailOf({ kind: 'upstream_auth', state: 'ended' }, language);
    expect(mail?.paragraphs).toEqual([expect.stringMatching(/可能再次出现|may come back/)]);
  });

  it.each(LANGUAGES)('of late cancellations names the key that may be missing: %s', async (language) => {
    const mail = await mailOf({ kind: 'cancellations_late' }, language);
    expect(mail?.paragraphs.join(' ')).toContain('API_KEY');
  });
});
