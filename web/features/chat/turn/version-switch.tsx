import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { TURN_ACTION, useTurnActions } from './turn-actions.ts';

/** One exchange among those under the same parent. */
export interface Versions {
  place: number;
  count: number;
  /** Ids of those beside it. */
  older: string | undefined;
  newer: string | undefined;
}

/** Leads from one version of an exchange to the next, by press or by the arrow keys. */
export function VersionSwitch({ versions }: { versions: Versions }) {
  const { t } = useTranslation('common');
  const { choose } = useTurnActions();
  const { older, newer, place, count } = versions;
  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.key === 'ArrowLeft' ? older : event.key === 'ArrowRight' ? newer : undefined;
    if (!target) return;
    event.preventDefault();
    choose(target);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame and take a legend.
    <span
      role="group"
      aria-label={t('chat.versions')}
      data-versions
      onKeyDown={onKeyDown}
      className="inline-flex items-center tabular-nums print:hidden"
    >
      <VersionButton label={t('chat.versionOlder')} target={older} icon={ChevronLeft} />
      <span aria-live="polite">{t('chat.versionPlace', { place, count })}</span>
      <VersionButton label={t('chat.versionNewer')} target={newer} icon={ChevronRight} />
    </span>
  );
}

interface VersionButtonProps {
  label: string;
  target: string | undefined;
  icon: typeof ChevronLeft;
}

/** It can be focused at either end of the row, so that the arrow keys go on. */
function VersionButton({ label, target, icon: Icon }: VersionButtonProps) {
  const { choose } = useTurnActions();
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      aria-disabled={!target}
      onClick={() => target && choose(target)}
      className={`${TURN_ACTION} aria-disabled:cursor-default aria-disabled:opacity-40 aria-disabled:hover:bg-transparent`}
    >
      <Icon aria-hidden size={16} strokeWidth={1.5} />
    </button>
  );
}
