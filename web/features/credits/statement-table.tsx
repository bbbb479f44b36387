import { models } from 'virtual:models';
import { Link } from 'react-router';
import type { LedgerEntry } from '#contract/credits.ts';
import { formatMoment } from '#i18n/formats.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { languageTag } from '#web/lib/language.ts';
import type { Dictionary, TextKey } from '#web/lib/translate.ts';
import { useLocalPath } from '#web/lib/use-language.ts';
import { useOpenMessage } from './use-open-message.ts';

const CELL = 'py-3 align-baseline';
const LINK = 'whitespace-nowrap underline underline-offset-4';
const NUMBER = `${CELL} text-right tabular-nums whitespace-nowrap`;

/** The lines of a statement: time, what and why, amount, balance after it. */
export function StatementTable({ entries }: { entries: readonly LedgerEntry[] }) {
  const { t, i18n } = useTranslation('common');
  const tag = languageTag(i18n.language);
  const titleOf = (id: string) => models.find((model) => model.id === id)?.title[i18n.language] ?? id;
  return (
    <table className="w-full text-left text-sm">
      <thead className="border-line border-b text-soft">
        <tr>
          <th className={`${CELL} font-normal max-sm:hidden`}>{t('statement.time')}</th>
          <th className={`${CELL} font-normal`}>{t('statement.reason')}</th>
          <th className={`${NUMBER} font-normal`}>{t('statement.amount')}</th>
          <th className={`${NUMBER} pl-4 font-normal`}>{t('statement.balance')}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => {
          const time = (
            <time dateTime={new Date(entry.time).toISOString()}>
              {formatMoment(i18n.language, entry.time)}
            </time>
          );
          return (
            <tr key={entry.id} className="border-line border-b">
              <td className={`${CELL} pr-4 whitespace-nowrap text-soft tabular-nums max-sm:hidden`}>
                {time}
              </td>
              <td className={`${CELL} pr-4`}>
                <span className="font-medium">{t(`ledger.kind.${entry.kind}`)}</span>{' '}
                <span className="text-soft">
                  {entry.keyName
                    ? t('ledger.byKey', { reason: t(reasonKey(entry.reason)), key: entry.keyName })
                    : t(reasonKey(entry.reason))}
                  {entry.model ? ` · ${titleOf(entry.model)}` : null}
                  {entry.pending ? ` · ${t('statement.pending')}` : null}
                </span>{' '}
                {entry.lines && entry.lines.length > 1 ? <ChargeLines lines={entry.lines} /> : null}
                <Answered entry={entry} />
                {entry.conversationTitle ? (
                  <span className="flex flex-wrap gap-x-2">
                    <span dir="auto" className="line-clamp-1 break-all text-soft">
                      {entry.conversationTitle}
                    </span>
                    <EntryLink entry={entry} />
                  </span>
                ) : (
                  <EntryLink entry={entry} />
                )}
                <span className="block text-soft tabular-nums sm:hidden">{time}</span>
              </td>
              <td className={NUMBER}>{signedAmount(entry.amount, tag)}</td>
              <td className={`${NUMBER} pl-4 text-soft`}>{entry.balanceAfter.toLocaleString(tag)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** What a charge for more than a message came to, line by line. */
function ChargeLines({ lines }: { lines: NonNullable<LedgerEntry['lines']> }) {
  const { t } = useTranslation('common');
  return (
    <span className="block text-soft tabular-nums">
      {lines.map(({ kind, credits }) => `${t(`priceLine.${kind}`)} ${credits}`).join(' · ')}
    </span>
  );
}

/** Which model answered, by its provider's name of it, and how much it read and wrote. */
function Answered({ entry: { modelVersion, usage } }: { entry: LedgerEntry }) {
  const { t, i18n } = useTranslation('common');
  const number = new Intl.NumberFormat(languageTag(i18n.language));
  if (!modelVersion && !usage) return null;
  const tokens =
    usage &&
    t('statement.usage', {
      input: number.format(usage.inputTokens),
      output: number.format(usage.outputTokens),
    });
  return (
    <span className="block text-soft tabular-nums wrap-anywhere">
      {[modelVersion, tokens].filter(Boolean).join(' · ')}
    </span>
  );
}

/** The way to the order or the message behind a line. What an API key sent is no message of the chat. */
function EntryLink({ entry: { orderId, messageId, keyName } }: { entry: LedgerEntry }) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const openMessage = useOpenMessage();
  if (orderId) {
    return (
      <Link to={`${pathTo('orders')}/${orderId}`} className={LINK}>
        {t('statement.toOrder')}
      </Link>
    );
  }
  if (!messageId || keyName !== undefined) return null;
  return (
    <button type="button" onClick={() => void openMessage(messageId)} className={LINK}>
      {t('statement.toMessage')}
    </button>
  );
}

/** The key of the text of a ledger entry's reason; the server and `i18n/` know the same codes. */
function reasonKey(reason: string): TextKey {
  return `ledger.reason.${reason as keyof Dictionary['ledger']['reason']}`;
}

/** A change of the balance with its sign: `+40`, `−15` (a true minus), `0`. */
function signedAmount(amount: number, languageTag: string): string {
  return new Intl.NumberFormat(languageTag, { signDisplay: 'exceptZero' }).format(amount).replace('-', '−');
}
