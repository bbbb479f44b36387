import { type ReactNode, useRef } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { CopyButton } from './copy-button.tsx';
import '#web/features/chat/answer/code/code-colours.css';

interface CodeSampleProps {
  /** A piece of a program: as it is, or as our own HTML that the build made, with colours. */
  code: string | { html: string };
  /** What stands at the other end of its head. */
  children?: ReactNode;
}

/** A piece of a program, with a button that copies it. */
export function CodeSample({ code, children }: CodeSampleProps) {
  const { t } = useTranslation('common');
  const shown = useRef<HTMLElement>(null);
  return (
    <figure className="code-sample overflow-hidden rounded-card border border-line bg-raised">
      <figcaption className="flex flex-wrap items-center justify-between gap-2 border-line border-b px-3 py-1.5">
        <div>{children}</div>
        <CopyButton text={() => shown.current?.textContent?.trimEnd() ?? ''} label={t('api.copyCode')} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard too. */}
      <pre tabIndex={0} dir="ltr" lang="zxx" className="overflow-x-auto p-4 font-mono text-sm">
        {typeof code === 'string' ? (
          <code ref={shown}>{code}</code>
        ) : (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: our own code, coloured by the build.
          <code ref={shown} dangerouslySetInnerHTML={{ __html: code.html }} />
        )}
      </pre>
    </figure>
  );
}
