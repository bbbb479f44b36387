import { useSyncExternalStore } from 'react';
import { DAY_MS } from '#contract/time.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useModule } from '#web/lib/use-module.ts';
import { classNames } from '#web/ui/class-names.ts';
import type { Draft } from '../draft.ts';
import { LOAD_STARTERS } from './load-starters.ts';

interface StartersProps {
  draft: Draft;
  /** Their room stays empty, as where none of them could be sent. */
  isHidden: boolean;
  /** The chosen one is in the composer. */
  onChosen: () => void;
}

/** Questions to begin with, others each day. One that is chosen stands in the composer, to be changed or sent. */
export function Starters({ draft, isHidden, onChosen }: StartersProps) {
  const { t, i18n } = useTranslation('common');
  const isEmpty = useSyncExternalStore(draft.subscribe, () => draft.read() === '');
  const sets = useModule(true, LOAD_STARTERS[i18n.language]);
  if (!sets) return null;
  return (
    <section
      aria-label={t('chat.starters')}
      className={classNames('composer-column pb-6', (!isEmpty || isHidden) && 'invisible')}
    >
      <ul className="grid auto-rows-fr gap-2 sm:grid-cols-2">
        {startersOf(sets.default, new Date()).map((question) => (
          <li key={question}>
            <button
              type="button"
              onClick={() => {
                draft.write(question);
                onChosen();
              }}
              className="flex h-full min-h-11 w-full items-center rounded-control border border-line px-[calc(var(--inset)-1px)] py-2 text-left text-sm text-soft hover:border-edge hover:text-ink"
            >
              {question}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The set of the reader's day. */
function startersOf(sets: readonly string[][], now: Date): readonly string[] {
  const day = Math.floor((now.getTime() - now.getTimezoneOffset() * 60_000) / DAY_MS);
  return sets[day % sets.length] ?? [];
}
