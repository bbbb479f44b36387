import { CircleX } from 'lucide-react';
import type { CodePart, OutputPart } from '#contract/message/parts.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Fold } from '#web/ui/text/fold.tsx';
import { CodeBlock } from '../code/code-block.tsx';

const OUTCOMES: Record<OutputPart['outcome'], TextKey> = {
  ok: 'answer.ranCode',
  failed: 'answer.codeFailed',
  timed_out: 'answer.codeTimedOut',
};

interface CodeRunProps {
  /** Null where only what it printed is known. */
  code: CodePart | null;
  outputs: readonly OutputPart[];
  /** It runs now. */
  running: boolean;
}

/** Code that was run for the answer and what it printed, under one line. */
export function CodeRun({ code, outputs, running }: CodeRunProps) {
  const { t } = useTranslation('common');
  const failed = outputs.find(({ outcome }) => outcome !== 'ok');
  return (
    <Fold
      className="my-2 text-sm"
      label={
        <>
          {running ? t('answer.runningCode') : t(OUTCOMES[failed?.outcome ?? 'ok'])}
          {failed ? <CircleX aria-hidden size={14} strokeWidth={1.5} /> : null}
        </>
      }
    >
      <div className="answer code-run">
        {code ? <CodeBlock language={code.language.toLowerCase()} code={withoutEnd(code.code)} /> : null}
        {outputs.map(({ text }, place) =>
          text.trim() === '' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: an output never changes its place.
            <p key={place} className="mt-2 text-soft">
              {t('answer.noOutput')}
            </p>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above.
            <CodeBlock key={place} language={t('answer.outputName')} code={withoutEnd(text)} />
          ),
        )}
      </div>
    </Fold>
  );
}

function withoutEnd(text: string): string {
  return text.replace(/\n$/, '');
}
