import { useState } from 'react';
import type { Message } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { FailedAnswer } from './failed-answer.tsx';
import { LengthLimit } from './length-limit.tsx';

/** What is said of an answer that ended otherwise than it was meant to; `hasOlder`: there is an earlier version beside it. */
export function AnswerEnd({ message, hasOlder }: { message: Message; hasOlder: boolean }) {
  const { t } = useTranslation('common');
  const { status, finishReason } = message;
  const [wasRunning] = useState(status === 'running');
  if (status === 'failed' || status === 'interrupted')
    return <FailedAnswer message={message} hasOlder={hasOlder} />;
  if (status !== 'completed') return null;
  return (
    <>
      {finishReason === 'length' ? <LengthLimit message={message} /> : null}
      {isUnsearched(message) ? (
        <p data-late={wasRunning || undefined} className="pt-3 text-soft text-sm">
          {t('sources.notSearched')}
        </p>
      ) : null}
      {isWithoutPicture(message) ? <p className="mt-3 text-soft text-sm">{t('drawing.none')}</p> : null}
    </>
  );
}

/** It was to be searched for in any case, which no provider promises, and was not. */
function isUnsearched({ options, parts = [], charged, computer }: Message): boolean {
  if (options?.search !== 'always' || computer === 'browser') return false;
  const isFound = parts.some(
    (part) => part.kind === 'sources' && (part.queries.length > 0 || part.sources.length > 0),
  );
  return !isFound && !charged?.lines.some(({ kind, credits }) => kind === 'search' && credits > 0);
}

/** It was to be a picture, has none, and was free. */
function isWithoutPicture({ quote, parts = [], creditsUsed }: Message): boolean {
  const isWanted = quote.lines.some(({ kind }) => kind === 'picture');
  return isWanted && creditsUsed === 0 && !parts.some(({ kind }) => kind === 'image');
}
