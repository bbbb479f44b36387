import { type ClipboardEvent, useState } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';

/** Characters from which on a pasted text may become a file. */
const LONG = 4_000;

interface PasteTarget {
  read(): string;
  write(text: string): void;
}

/** Takes pasted pictures and files as files, and offers that for a long text. */
export function usePaste(draft: PasteTarget, onFiles: (files: readonly File[]) => void) {
  const { t } = useTranslation('common');
  const [long, setLong] = useState<string | null>(null);
  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const { files } = event.clipboardData;
    const text = event.clipboardData.getData('text/plain');
    // Spreadsheets put a picture of the cells beside their text.
    if (files.length > 0 && text === '') {
      event.preventDefault();
      onFiles([...files]);
    } else setLong(text.length > LONG ? text.replace(/\r\n?/g, '\n') : null);
  };
  // It was sent or changed since: then it is no offer any more.
  const offered = long !== null && draft.read().includes(long) ? long : null;
  const accept = () => {
    const text = draft.read();
    const at = long === null ? -1 : text.indexOf(long);
    if (long === null || at < 0) return setLong(null);
    draft.write(text.slice(0, at) + text.slice(at + long.length));
    onFiles([new File([long], t('files.pastedName'), { type: 'text/plain' })]);
    setLong(null);
  };
  return { onPaste, long: offered?.length ?? null, accept, dismiss: () => setLong(null) };
}
