import { useSyncExternalStore } from 'react';
import { usePromptLimit } from '#web/features/catalogue/use-prompt-limit.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { classNames } from '#web/ui/class-names.ts';
import type { Draft } from './draft.ts';

/** From this share of the limit on, the length of a question is shown. */
const COUNT_FROM = 0.9;

/** The length of a question in UTF-16 units where it is near its limit or beyond; 0 of a short one, of which nothing is said. */
export function shownLength(text: string, limit: number): number {
  const { length } = text.trim();
  return length < limit * COUNT_FROM ? 0 : length;
}

/** How much of the limit a long question takes. */
export function CharacterCount({ draft }: { draft: Draft }) {
  const limit = usePromptLimit();
  const length = useSyncExternalStore(draft.subscribe, () => shownLength(draft.read(), limit));
  return <LengthCount length={length} limit={limit} />;
}

/**
 * A length that `shownLength` gave, beside the limit. Only that it is too long is said: the number changes with each key. What says it
 * is there before it says something: a live region that comes with its words is not read out.
 */
export function LengthCount({ length, limit }: { length: number; limit: number }) {
  const { t } = useTranslation('common');
  const isTooLong = length > limit;
  return (
    <>
      {length > 0 ? (
        <span className={classNames('text-sm tabular-nums', isTooLong ? 'text-danger' : 'text-soft')}>
          {t('chat.characterCount', { count: length, limit })}
        </span>
      ) : null}
      <span role="status" className="sr-only">
        {isTooLong ? t('chat.tooLong') : null}
      </span>
    </>
  );
}
