import { Check, FileDown } from 'lucide-react';
import type { KeepRequest } from '#contract/message/computer.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button, Spinner } from '#web/ui/button.tsx';
import { useFileViewer } from '../files/use-file-viewer.tsx';
import type { KeptFiles } from './use-kept.ts';

const ICON = { 'aria-hidden': true, size: 16, strokeWidth: 1.5, className: 'shrink-0' } as const;

interface KeepButtonProps {
  thing: KeepRequest;
  kept: KeptFiles;
  /** What it does, in a word, and with the name of what is kept. */
  text: string;
  label: string;
}

/** Keeps something of a run as a file of the conversation; once it is kept, shows that file. */
export function KeepButton({ thing, kept, text, label }: KeepButtonProps) {
  const { t } = useTranslation('common');
  const { show, viewer } = useFileViewer();
  const file = kept.find(thing);
  const isBusy = kept.isBusy(thing);
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        // Not disabled: whoever pressed it stays on it with the keyboard.
        aria-disabled={isBusy || undefined}
        aria-busy={isBusy || undefined}
        aria-label={file ? t('computer.keep.viewOf', { name: file.name }) : label}
        onClick={() => {
          if (file) void show({ fileId: file.id, name: file.name });
          else if (!isBusy) void kept.keep(thing);
        }}
        className="shrink-0 whitespace-nowrap pointer-coarse:min-h-11"
      >
        {isBusy ? <Spinner /> : file ? <Check {...ICON} /> : <FileDown {...ICON} />}
        {file ? t('computer.keep.view') : text}
      </Button>
      <span role="status" className="sr-only">
        {file ? t('computer.keep.done', { name: file.name }) : ''}
      </span>
      {viewer}
    </>
  );
}
