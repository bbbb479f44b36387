import { ChevronRight, CircleCheck, CircleX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { CodeBlock } from '../code/code-block.tsx';
import type { ShownPart } from './read-parts.ts';

interface FoldProps {
  label: ReactNode;
  /** Unfolded; what the reader unfolds stays so. */
  open?: boolean;
  children: ReactNode;
}

/** Something that is folded until the reader wants it. */
function Fold({ label, open = false, children }: FoldProps) {
  const [isOpen, setOpen] = useState(open);
  const [wasOpen, setWasOpen] = useState(open);
  if (wasOpen !== open) {
    setWasOpen(open);
    setOpen(open);
  }
  return (
    <details
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group/fold my-2 text-sm"
    >
      <summary className="flex min-h-8 w-fit cursor-pointer list-none items-center gap-1.5 rounded-control pr-2 text-soft hover:text-ink pointer-coarse:min-h-11">
        <ChevronRight
          aria-hidden
          size={16}
          strokeWidth={1.5}
          className="group-open/fold:rotate-90 motion-safe:transition-transform"
        />
        {label}
      </summary>
      {isOpen ? children : null}
    </details>
  );
}

interface ReasoningProps {
  text: string;
  /** It is thinking now. */
  open: boolean;
  /** Milliseconds until the answer began; null while not known. */
  took: number | null;
}

/** What the model let be seen of its thinking: in sight while it thinks, folded from the first word of the answer on. */
export function Reasoning({ text, open, took }: ReasoningProps) {
  const { t } = useTranslation('common');
  const seconds = took === null ? null : (took / 1000).toFixed(1);
  const label = seconds === null ? t('answer.reasoning') : t('answer.reasoned', { seconds });
  return (
    <Fold label={label} open={open}>
      <p
        dir="auto"
        className="mb-3 ml-2 whitespace-pre-wrap border-line border-l-2 pl-4 text-soft wrap-anywhere"
      >
        {text.replaceAll('**', '').trim()}
      </p>
    </Fold>
  );
}

const OUTCOMES: Record<Extract<ShownPart, { kind: 'output' }>['outcome'], TextKey> = {
  ok: 'answer.output',
  failed: 'answer.outputFailed',
  timed_out: 'answer.outputTimedOut',
};

/** Code that was run for the answer, what it printed, or a picture that the model made. */
export function PartBlock({ part }: { part: ShownPart }) {
  const { t } = useTranslation('common');
  if (part.kind === 'image') {
    return (
      <img
        src={`/api/files/${part.fileId}/content`}
        alt={t('answer.madePicture')}
        loading="lazy"
        className="my-3 max-w-full rounded-card border border-line"
      />
    );
  }
  if (part.kind === 'code') {
    return (
      <Fold label={t('answer.ranCode')}>
        <div className="answer code-run">
          <CodeBlock language={part.language.toLowerCase()} code={part.code.replace(/\n$/, '')} />
        </div>
      </Fold>
    );
  }
  const Icon = part.outcome === 'ok' ? CircleCheck : CircleX;
  const label = (
    <>
      {t(OUTCOMES[part.outcome])}
      <Icon aria-hidden size={14} strokeWidth={1.5} />
    </>
  );
  return (
    <Fold label={label} open={part.outcome !== 'ok'}>
      {part.text === '' ? (
        <p className="ml-6 text-soft">{t('answer.noOutput')}</p>
      ) : (
        <div className="answer code-run">
          <CodeBlock language={t('answer.outputName')} code={part.text.replace(/\n$/, '')} />
        </div>
      )}
    </Fold>
  );
}
