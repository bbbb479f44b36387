import { type ReactNode, useCallback, useState } from 'react';
import { useModule } from '#web/lib/use-module.ts';

const loadSearch = () => import('../search/search-dialog.tsx');
const loadHelp = () => import('./shortcut-help.tsx');

type ChatDialog = 'search' | 'help';

/** The dialogs of the chat, whose code is loaded when one is first opened. */
export function useChatDialogs(): { open: (dialog: ChatDialog) => void; dialogs: ReactNode } {
  const [dialog, setDialog] = useState<ChatDialog | null>(null);
  const search = useModule(dialog === 'search', loadSearch);
  const help = useModule(dialog === 'help', loadHelp);
  const open = useCallback((one: ChatDialog) => setDialog(one), []);
  const close = () => setDialog(null);
  const dialogs = (
    <>
      {search ? <search.SearchDialog open={dialog === 'search'} onClose={close} /> : null}
      {help ? <help.ShortcutHelp open={dialog === 'help'} onClose={close} /> : null}
    </>
  );
  return { open, dialogs };
}
