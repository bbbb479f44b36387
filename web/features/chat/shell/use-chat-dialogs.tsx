import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useModule } from '#web/lib/use-module.ts';
import { useOverlay } from '../overlay/use-overlay.ts';
import type { Screen } from './use-screen.ts';

const loadPalette = () => import('../palette/palette.tsx');
const loadHelp = () => import('../shortcuts/shortcut-help.tsx');

const loadFiles = () => import('../files/file-list-dialog.tsx');

type ChatDialog = 'palette' | 'help' | 'files';

/** The palette, the sheet of shortcuts and the files of the conversation, whose code is loaded when one is first opened. */
export function useChatDialogs(screen: Screen): { open: (dialog: ChatDialog) => void; dialogs: ReactNode } {
  const { open: isPalette, show, close } = useOverlay('palette');
  const [isHelp, setHelp] = useState(false);
  const [isFiles, setFiles] = useState(false);
  const files = useModule(isFiles, loadFiles);
  const palette = useModule(isPalette, loadPalette);
  const help = useModule(isHelp, loadHelp);
  const runLater = useRunAfter(isPalette);
  const showHelp = useCallback(() => setHelp(true), []);
  const showFiles = useCallback(() => setFiles(true), []);
  const closePalette = (then?: () => void) => {
    runLater(then);
    close();
  };
  const dialogs = (
    <>
      {palette ? (
        <palette.Palette
          open={isPalette}
          onClose={closePalette}
          screen={{ ...screen, showHelp, showFiles }}
        />
      ) : null}
      {files ? (
        <files.FileListDialog conversationId={screen.id} open={isFiles} onClose={() => setFiles(false)} />
      ) : null}
      {help ? <help.ShortcutHelp open={isHelp} onClose={() => setHelp(false)} /> : null}
    </>
  );
  const open = (dialog: ChatDialog) => {
    if (dialog === 'palette') show();
    else if (dialog === 'help') showHelp();
    else showFiles();
  };
  return { open, dialogs };
}

/** Has something done once what is open is closed, and the focus is where it was before. */
function useRunAfter(open: boolean): (act: (() => void) | undefined) => void {
  const waiting = useRef<(() => void) | undefined>(undefined);
  useEffect(() => {
    if (open) return;
    const act = waiting.current;
    waiting.current = undefined;
    act?.();
  }, [open]);
  return useCallback((act) => {
    waiting.current = act;
  }, []);
}
