import { useTranslation } from '#web/lib/i18n.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ConversationList } from './conversation-list.tsx';
import type { Conversations } from './use-conversations.ts';
import type { Panel } from './use-panel.ts';

interface ConversationPanelProps {
  panel: Panel;
  conversations: Conversations;
  currentId: string;
}

/** The list of conversations, beside the one on screen or over it. */
export function ConversationPanel({ panel, conversations, currentId }: ConversationPanelProps) {
  const { t } = useTranslation('common');
  const label = t('chat.conversations');
  if (!panel.wide) {
    return (
      <Dialog open={panel.open} onClose={panel.close} title={label} sheet="left">
        <nav aria-label={label} className="-mx-3">
          <ConversationList list={conversations} currentId={currentId} onFollow={panel.close} />
        </nav>
      </Dialog>
    );
  }
  if (!panel.open) return null;
  return (
    <nav
      aria-label={label}
      className="w-64 shrink-0 overflow-y-auto overscroll-contain border-line border-r p-3"
    >
      <ConversationList list={conversations} currentId={currentId} />
    </nav>
  );
}
