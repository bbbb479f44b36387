import { Check, Copy, WrapText } from 'lucide-react';
import { type CSSProperties, memo, type ReactNode, useMemo, useState } from 'react';
import { useCopy } from '#web/lib/export/use-copy.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { showAlert } from '#web/ui/toast-store.ts';
import type { ColouredLines } from './highlighter.ts';
import { CHUNK_LINES, chunked } from './read-tokens.ts';
import { useColours } from './use-colours.ts';
import './code-colours.css';

interface CodeBlockProps {
  language: string;
  code: string;
  /** More of it is to come, so it is not coloured yet. */
  open?: boolean;
  /** Buttons before the common ones. */
  children?: ReactNode;
}

/** A block of code with its language, coloured when it is whole, and buttons that wrap its lines and copy it. */
export function CodeBlock({ language, code, open = false, children }: CodeBlockProps) {
  const { t } = useTranslation('common');
  const [wrapped, setWrapped] = useState(false);
  const chunks = useMemo(() => chunked(code.split('\n'), CHUNK_LINES), [code]);
  const colours = useColours(language, code, !open);
  return (
    <figure className={classNames('code-block', wrapped && 'wrapped')} dir="ltr">
      <figcaption>
        <span>{language === '' ? t('chat.code') : language}</span>
        <span className="actions">
          {children}
          <button type="button" aria-pressed={wrapped} onClick={() => setWrapped(!wrapped)}>
            <WrapText aria-hidden size={14} strokeWidth={1.5} />
            <span className="wide">{t('chat.wrapLines')}</span>
          </button>
          <CopyButton text={code} />
        </span>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard too. */}
      <pre tabIndex={0}>
        <code>
          {chunks.map((lines, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a chunk never changes its place.
            <Chunk key={place} text={lines.join('\n')} count={lines.length} lines={colours[place] ?? null} />
          ))}
        </code>
      </pre>
    </figure>
  );
}

interface ChunkProps {
  text: string;
  count: number;
  lines: ColouredLines | null;
}

const Chunk = memo(({ text, count, lines }: ChunkProps) => (
  <span className="lines" style={{ '--lines': count } as CSSProperties}>
    {lines ? lines.flatMap((line, place) => [...(place > 0 ? ['\n'] : []), ...drawLine(line, place)]) : text}
  </span>
));

function drawLine(line: ColouredLines[number], row: number): ReactNode[] {
  return line.map(([kind, text], place) => {
    const key = `${row}:${place}`;
    if (kind === '') return text;
    return (
      <span key={key} className={kind}>
        {text}
      </span>
    );
  });
}

function CopyButton({ text }: { text: string }) {
  const { t } = useTranslation('common');
  const { copied, copy } = useCopy(() => showAlert(t('chat.copyFailed')));
  const Icon = copied ? Check : Copy;
  return (
    <button type="button" onClick={() => void copy(text)}>
      <Icon aria-hidden size={14} strokeWidth={1.5} />
      <span aria-live="polite">{copied ? t('chat.copied') : t('chat.copy')}</span>
    </button>
  );
}
