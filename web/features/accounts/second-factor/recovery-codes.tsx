import { Copy, Download, Printer } from 'lucide-react';
import { useState } from 'react';
import { saveText } from '#web/lib/export/save-text.ts';
import { useCopy } from '#web/lib/export/use-copy.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { FieldError } from '#web/ui/field-error.tsx';

interface RecoveryCodesProps {
  codes: string[];
  onSaved: () => void;
}

/** The only time that recovery codes are seen, with ways to keep them. */
export function RecoveryCodes({ codes, onSaved }: RecoveryCodesProps) {
  const { t } = useTranslation('common');
  const [hasFailed, setFailed] = useState(false);
  const { copied, copy } = useCopy(() => setFailed(true));
  const title = t('twoFactor.codesFile');
  const copyAll = () => {
    setFailed(false);
    void copy(codes.join('\n'));
  };
  const download = () => saveText(`${title}.txt`, `${title}\n\n${codes.join('\n')}\n`, 'text/plain');
  const icon = { 'aria-hidden': true, size: 16, strokeWidth: 1.5 } as const;
  return (
    <div className="flex flex-col gap-5">
      <p>{t('twoFactor.codesLead')}</p>
      <ul className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-control bg-sunken px-4 py-3 font-mono tabular-nums">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" size="small" onClick={copyAll}>
          <Copy {...icon} />
          {t(copied ? 'twoFactor.copied' : 'twoFactor.copy')}
        </Button>
        <Button variant="secondary" size="small" onClick={download}>
          <Download {...icon} />
          {t('twoFactor.download')}
        </Button>
        <Button variant="secondary" size="small" onClick={() => printText(title, codes)}>
          <Printer {...icon} />
          {t('twoFactor.print')}
        </Button>
      </div>
      <FieldError>{hasFailed ? t('chat.copyFailed') : null}</FieldError>
      <p role="status" className="sr-only">
        {copied ? t('twoFactor.copied') : ''}
      </p>
      <p className="text-soft text-sm">{t('twoFactor.others')}</p>
      <DialogActions>
        <Button onClick={onSaved}>{t('twoFactor.saved')}</Button>
      </DialogActions>
    </div>
  );
}

/** Prints a title and lines, and nothing of the page. */
function printText(title: string, lines: string[]): void {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  document.body.append(frame);
  const inside = frame.contentDocument;
  const view = frame.contentWindow;
  if (!inside || !view) return;
  const heading = inside.createElement('h1');
  heading.textContent = title;
  const text = inside.createElement('pre');
  text.textContent = lines.join('\n');
  inside.title = title;
  inside.body.append(heading, text);
  view.addEventListener('afterprint', () => frame.remove());
  view.print();
}
