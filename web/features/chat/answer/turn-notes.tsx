import type { Message, NoticeCode } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';

/** What the reader should know of how an answer came about: older turns left out, another route taken. */
export function TurnNotes({ message, notices }: { message: Message; notices: readonly NoticeCode[] }) {
  const { t } = useTranslation('common');
  const trimmed = message.contextTrimmed || notices.includes('context_trimmed');
  const switched = message.upstreamSwitched || notices.includes('upstream_switched');
  if (!trimmed && !switched) return null;
  return (
    <div className="mb-2 text-soft text-sm">
      {trimmed ? <p>{t('chat.contextTrimmed')}</p> : null}
      {switched ? <p>{t('chat.switched')}</p> : null}
    </div>
  );
}
