import { models } from 'virtual:models';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { LedgerEntry } from '#contract/credits.ts';
import { formatMoment } from '#i18n/formats.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { languageTag } from '#web/lib/language.ts';
import type { Dictionary, TextKey } from '#web/lib/translate.ts';
import { useLocalPath } from '#web/lib/use-language.ts';
import { classNames } from '#web/ui/class-names.ts';
import { useOpenMessage } from './use-open-message.ts';

export const CELL = 'py-3 align-baseline';
export const NUMBER = `${CELL} text-right tabular-nums whitespace-nowrap`;
const LINK = 'relative z-1 whitespace-nowrap underline underline-offset-4';

/** One line of a statement: when and what it was, what it changed and left. The rest of it opens. */
export function StatementRow({ entry }: { entry: LedgerEntry }) {
  const { t, i18n } = useTranslation('common');
  const { language } = i18n;
  const [isOpen, setOpen] = useState(false);
  const tag = languageTag(language);
  const model = models.find(({ id }) => id === entry.model)?.title[language] ?? entry.model;
  const extras = useLineTexts(entry.lines?.filter(({ kind }) => kind !== 'message' && kind !== 'picture'));
  const balance = entry.balanceAfter.toLocaleString(tag);
  const time = (
    <time dateTime={new Date(entry.time).toISOString()}>{formatMoment(language, entry.time)}</time>
  );
  return (
    <tr className="border-line border-b">
      <td className={`${CELL} pr-6 whitespace-nowrap text-soft tabular-nums max-sm:hidden`}>{time}</td>
      <td className={`${CELL} relative w-full pr-4`}>
        <span className="flex items-start gap-3">
          <span className="min-w-0 tabular-nums sm:flex sm:items-baseline sm:gap-1">
            <What entry={entry} isOpen={isOpen} />
            {entry.pending ? (
              <span className="shrink-0 text-soft max-sm:hidden">{`· ${t('statement.pending')}`}</span>
            ) : null}
            {model ? (
              <span
                className={classNames('shrink-0 text-soft max-sm:hidden', entry.pending && 'max-md:hidden')}
              >{`· ${model}`}</span>
            ) : null}
            {extras.length > 0 ? (
              <span className="shrink-0 text-soft max-lg:hidden">{`· ${extras.join(' · ')}`}</span>
            ) : null}
            <span className="block text-soft sm:hidden">
              <span className="whitespace-nowrap">{time}</span>
              {entry.pending ? ` · ${t('statement.pending')}` : null}
              {[model, ...extras].map((part) => (part ? ` · ${part}` : null))}
            </span>
          </span>
          {hasMore(entry) ? <MoreButton isOpen={isOpen} onClick={() => setOpen(!isOpen)} /> : null}
        </span>
        {isOpen ? <Details entry={entry} /> : null}
      </td>
      <td className={NUMBER}>
        {signedAmount(entry.amount, tag)}
        <span className="block text-soft sm:hidden">
          <span className="sr-only">{t('statement.balance')} </span>
          {balance}
        </span>
      </td>
      <td className={`${NUMBER} pl-6 text-soft max-sm:hidden`}>{balance}</td>
    </tr>
  );
}

/** What a line is about: by the title of its conversation where it has one, else by its reason; in full once it is open. */
function What({ entry, isOpen }: { entry: LedgerEntry; isOpen: boolean }) {
  const { t } = useTranslation('common');
  const { kind, conversationTitle } = entry;
  const reason = useReason(entry);
  const bound = conversationTitle ? 'line-clamp-1 break-all' : 'block max-sm:line-clamp-2';
  return (
    <span className={classNames('min-w-0 text-soft', isOpen ? 'block' : bound)}>
      <span className="font-medium text-ink">{t(`ledger.kind.${kind}`)}</span>{' '}
      <span dir="auto">{conversationTitle ?? reason}</span>
    </span>
  );
}

/** What a line says once it is open. */
function Details({ entry }: { entry: LedgerEntry }) {
  const { conversationTitle, lines } = entry;
  const reason = useReason(entry);
  return (
    <span className="mt-1 block">
      {conversationTitle ? <span className="block text-soft">{reason}</span> : null}
      {lines && lines.length > 1 ? <ChargeLines lines={lines} /> : null}
      <Answered entry={entry} />
      <EntryLink entry={entry} />
    </span>
  );
}

function useReason({ reason, keyName }: LedgerEntry): string {
  const { t } = useTranslation('common');
  const text = t(reasonKey(reason));
  return keyName ? t('ledger.byKey', { reason: text, key: keyName }) : text;
}

/** Whether a line has more to say. */
function hasMore({
  conversationTitle,
  lines,
  modelVersion,
  usage,
  orderId,
  messageId,
  keyName,
}: LedgerEntry): boolean {
  const isLinked = orderId !== null || (messageId !== null && keyName === undefined);
  return Boolean(conversationTitle || modelVersion || usage || isLinked || (lines && lines.length > 1));
}

/** Opens and closes the rest of a line; whatever of its cell is pressed, for a finger. */
function MoreButton({ isOpen, onClick }: { isOpen: boolean; onClick: () => void }) {
  const { t } = useTranslation('common');
  return (
    <button
      type="button"
      aria-label={t('statement.details')}
      aria-expanded={isOpen}
      onClick={onClick}
      className="mt-0.5 ml-auto shrink-0 rounded-control after:absolute after:inset-0"
    >
      <ChevronDown aria-hidden size={16} strokeWidth={1.5} className={isOpen ? 'rotate-180' : undefined} />
    </button>
  );
}

/** What a charge for more than a message came to, line by line. */
function ChargeLines({ lines }: Pick<LedgerEntry, 'lines'>) {
  return <span className="block text-soft tabular-nums">{useLineTexts(lines).join(' · ')}</span>;
}

/** Each line of a charge with its Credits. */
function useLineTexts(lines: LedgerEntry['lines']): string[] {
  const { t } = useTranslation('common');
  return (lines ?? []).map(({ kind, credits }) => `${t(`priceLine.${kind}`)} ${credits}`);
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
