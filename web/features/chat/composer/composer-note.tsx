import { Link } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import { useModule } from '#web/lib/use-module.ts';
import type { ComposerState } from './composer.tsx';

const loadCreditsWait = () => import('./credits-wait.tsx');

interface ComposerNoteProps {
  id: string;
  state: ComposerState;
  /** How many messages the credits are enough for; null while not known. */
  left: number | null;
  problem: string | null;
}

/** From so few messages left on, their number is said. */
const FEW = 3;

/** Says why nothing can be sent now or will soon be, else how it is sent. */
export function ComposerNote({ id, state, left, problem }: ComposerNoteProps) {
  const { t } = useTranslation('common');
  const wait = useModule(left === 0, loadCreditsWait);
  if (left === 0) {
    const note = (
      <p className="text-danger">
        {t('credits.insufficient')} <BuyLink />
      </p>
    );
    return (
      <div id={id} className="w-full pb-2 text-sm">
        {wait ? <wait.CreditsWait note={note} buy={<BuyLink />} /> : note}
      </div>
    );
  }
  if (problem !== null) {
    return (
      <p
        id={id}
        role={state === 'paused' ? 'alert' : undefined}
        className="w-full pb-2 text-danger text-sm tabular-nums"
      >
        {problem}
      </p>
    );
  }
  if (left !== null && left <= FEW && state === 'ready') {
    return (
      <p id={id} className="mr-auto text-soft text-sm tabular-nums">
        {left === 1 ? t('chat.lowNoteOne') : t('chat.lowNote', { count: left })} <BuyLink />
        <span className="sr-only">{t('chat.hintKeys')}</span>
      </p>
    );
  }
  return (
    <p id={id} className="mr-auto text-soft text-sm pointer-coarse:sr-only max-sm:sr-only">
      {state === 'running' ? t('chat.hintRunning') : t('chat.hintKeys')}
    </p>
  );
}

/** Buying leads back to this conversation and its draft. */
function BuyLink() {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  return (
    <Link to={pathTo('pricing')} className="whitespace-nowrap text-ink underline underline-offset-4">
      {t('chat.buyCredits')}
    </Link>
  );
}
