import type { ReactNode } from 'react';
import type { Message } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { languageTag } from '#web/lib/language.ts';

/** What is known of one answer, line by line. */
export function DetailsList({ message, modelTitle }: { message: Message; modelTitle: string }) {
  const { t, i18n } = useTranslation('common');
  const tag = languageTag(i18n.language);
  const time = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'medium' });
  const number = new Intl.NumberFormat(tag);
  const { usage, endedAt, firstTextMs } = message;
  const seconds = (ms: number) => t('chat.seconds', { seconds: (ms / 1000).toFixed(1) });
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 tabular-nums">
      <Row name={t('chat.model')}>{modelTitle}</Row>
      {message.modelVersion === null ? null : (
        <Row name={t('chat.detailsVersion')}>{message.modelVersion}</Row>
      )}
      <Row name={t('chat.detailsAsked')}>{time.format(message.timestamp)}</Row>
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
    </dl>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="text-right wrap-anywhere">{children}</dd>
    </>
  );
}
