import type { ReactNode } from 'react';
import type { Message } from '#contract/chat.ts';
import { formatDate } from '#i18n/formats.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { languageTag } from '#web/lib/language.ts';
import { PRICE_LINE } from '../quote/price-lines.tsx';

/** What is known of one answer, line by line. */
export function DetailsList({ message, modelTitle }: { message: Message; modelTitle: string }) {
  const { t, i18n } = useTranslation('common');
  const tag = languageTag(i18n.language);
  const number = new Intl.NumberFormat(tag);
  const { usage, endedAt, firstTextMs } = message;
  const seconds = (ms: number) => t('chat.seconds', { seconds: (ms / 1000).toFixed(1) });
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 tabular-nums">
      <Row name={t('chat.model')}>{modelTitle}</Row>
      {message.modelVersion === null ? null : (
        <Row name={t('chat.detailsVersion')}>{message.modelVersion}</Row>
      )}
      <Row name={t('chat.detailsAsked')}>
        {formatDate(i18n.language, message.timestamp, { dateStyle: 'medium', timeStyle: 'medium' })}
      </Row>
      {firstTextMs === null ? null : <Row name={t('chat.detailsFirst')}>{seconds(firstTextMs)}</Row>}
      {endedAt === null ? null : (
        <Row name={t('chat.detailsTook')}>{seconds(endedAt - message.timestamp)}</Row>
      )}
      {usage === null ? null : (
        <Row name={t('chat.detailsTokens')}>
          {t('chat.detailsUsage', {
            input: number.format(usage.inputTokens),
            output: number.format(usage.outputTokens),
          })}
        </Row>
      )}
      <Row name={t('chat.detailsCharged')}>{t('chat.charged', { credits: message.creditsUsed })}</Row>
      {message.quote.lines.length > 1 ? <ChargedLines message={message} /> : null}
    </dl>
  );
}

/** What the charge is made of, and what each line might have cost at most. */
function ChargedLines({ message: { quote, charged } }: { message: Message }) {
  const { t } = useTranslation('common');
  return quote.lines.map(({ kind, max }) => {
    const credits = charged?.lines.find((line) => line.kind === kind)?.credits ?? 0;
    const key = credits === max ? 'quote.charged' : 'quote.chargedOf';
    return (
      <Row key={kind} name={t(PRICE_LINE[kind])} isPart>
        {t(key, { credits, max })}
      </Row>
    );
  });
}

function Row({ name, isPart = false, children }: { name: string; isPart?: boolean; children: ReactNode }) {
  return (
    <>
      <dt className={isPart ? 'pl-3 text-soft' : 'text-soft'}>{name}</dt>
      <dd className="text-right wrap-anywhere">{children}</dd>
    </>
  );
}
