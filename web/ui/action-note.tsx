import type { ReactNode } from 'react';
import { Button } from './button.tsx';

export interface NoteAction {
  label: string;
  busy: boolean;
  run: () => void;
}

interface ActionNoteProps {
  /** Said anew to those who do not see it when it changes. */
  text: string;
  action: NoteAction | null;
  /** Another way on, beside the button. */
  children?: ReactNode;
}

/** Why something is missing, and the way to it. */
export function ActionNote({ text, action, children }: ActionNoteProps) {
  return (
    <div className="flex flex-col items-start gap-2">
      <p role="status" className="max-w-prose break-words">
        {text}
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 empty:hidden">
        {action ? (
          <Button variant="secondary" size="small" busy={action.busy} onClick={action.run}>
            {action.label}
          </Button>
        ) : null}
        {children}
      </div>
    </div>
  );
}
