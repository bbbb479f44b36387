import { Link } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useLocalPath } from '#web/lib/use-language.ts';
import type { ComposerState } from './composer.tsx';

interface ComposerNoteProps {
  id: string;
  state: ComposerState;
  /** Fewer credits than the message costs. */
  isShort: boolean;
  problem: string | null;
}

/** Says why nothing can be sent now, else how it is sent. */
export function ComposerNote({ id, state, isShort, problem }: ComposerNoteProps) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  if (isShort) {
    return (
      <p id={id} className="w-full pb-2 text-danger text-sm">
        {t('chat.insufficientNote')}{' '}
        <Link to={pathTo('subscription')} className="whitespace-nowrap text-ink underline underline-offset-4">
          {t('chat.buyCredits')}
        </Link>
      </p>
    );
  }
  if (problem !== null) {
    return (
      <p id={id} className="w-full pb-2 text-danger text-sm">
        {problem}
      </p>
    );
  }
  return (
    <p id={id} className="mr-auto text-soft text-sm pointer-coarse:sr-only max-sm:sr-only">
      {state === 'running' ? t('chat.hintRunning') : t('chat.hintKeys')}
    </p>
  );
}
