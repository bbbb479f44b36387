import { RefreshCw } from 'lucide-react';
import type { ButtonHTMLAttributes } from 'react';
import type { Message } from '#contract/chat.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useMenuModule } from '#web/ui/loading/use-menu-module.ts';
import { leaveFocusToTurn, QUIET, TURN_ACTION } from './turn-actions.ts';

const loadList = () => import('./regenerate-list.tsx');

/** Asks the same question again beside this answer, with a model of a menu that comes with the first press. */
export function RegenerateMenu({ message }: { message: Message }) {
  const { menu, openAtOnce, button } = useMenuModule(loadList);
  return menu ? (
    <menu.RegenerateList trigger={<Trigger />} openAtOnce={openAtOnce} message={message} />
  ) : (
    <Trigger {...button} />
  );
}

function Trigger(button: ButtonHTMLAttributes<HTMLButtonElement>) {
  const { t } = useTranslation('common');
  return (
    <button
      ref={leaveFocusToTurn}
      type="button"
      title={t('chat.regenerate')}
      aria-label={t('chat.regenerate')}
      {...button}
      className={`${TURN_ACTION} ${QUIET}`}
    >
      <RefreshCw aria-hidden size={16} strokeWidth={1.5} />
    </button>
  );
}
