import type { Alert } from '#contract/admin/alerts.ts';
import type { Today } from '#contract/admin/screens.ts';
import type { Language } from '#contract/choices.ts';
import { alertParams } from '#i18n/alert-params.ts';
import { translate } from '#server/platform/translate.ts';
import { writeAmount } from './billing-records/present-fact.ts';
import type { Section } from './present-sections.ts';

/** How the product does, as a terminal shows it. */
export function presentToday(today: Today): Section[] {
  const { answers, firstText, credits, inbox, money, users, waiting, before } = today;
  const currencies = [...new Set([...money.paid, ...money.lost].map(({ currency }) => currency))];
  const sumOf = (all: Today['money']['paid'], currency: string) =>
    writeAmount(all.find((one) => one.currency === currency) ?? { currency, minor: 0 });
  return [
    { title: '待处理 Needs attention', rows: today.alerts.map(presentAlert) },
    {
      title: '最近 24 小时的回答 Answers of the last 24 hours',
      rows: [{ ...answers, p50: firstText.p50, p99: firstText.p99 }],
    },
    {
      title: '再前 24 小时 The 24 hours before',
      rows: [{ ...before.answers, ...before.firstText, charged: before.charged, ...before.users }],
    },
    { title: '失败原因 Why answers failed', rows: today.failures },
    {
      title: '消费 Use',
      rows: [
        {
          charged: credits.charged,
          held: credits.held,
          holds: credits.heldCount,
          drift: today.drift,
          ...users,
        },
      ],
    },
    {
      title: '收款 Money',
      rows: currencies.map((currency) => ({
        currency,
        paid_sum: sumOf(money.paid, currency),
        lost_sum: sumOf(money.lost, currency),
      })),
    },
    {
      title: '等待 Waiting',
      rows: [
        {
          uncredited: money.uncredited,
          webhooks: inbox.waiting,
          webhooks_failed: inbox.failed,
          oldest: inbox.oldest === null ? null : new Date(inbox.oldest),
          ...waiting,
        },
      ],
    },
  ];
}

function presentAlert({ kind, subject, details, raisedAt }: Alert) {
  const titleIn = (language: Language) =>
    translate(
      language,
      `admin.alert.${kind}.title`,
      alertParams(subject, details, language, (feature) =>
        translate(language, `admin.word.feature.${feature}`),
      ),
    );
  return { at: new Date(raisedAt), alert: `${titleIn('zh')} ${titleIn('en')}` };
}
