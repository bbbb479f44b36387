import type { ReactNode } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { CopyButton } from './copy-button.tsx';

/** A piece of a program, with a button that copies it; `children` stand at the other end of its head. */
export function CodeSample({ code, children }: { code: string; children?: ReactNode }) {
  const { t } = useTranslation('common');
  return (
    <figure className="overflow-hidden rounded-card border border-line bg-raised">
      <figcaption className="flex flex-wrap items-center justify-between gap-2 border-line border-b px-3 py-1.5">
        <div>{children}</div>
        <CopyButton text={code} label={t('api.copyCode')} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard too. */}
      <pre tabIndex={0} dir="ltr" lang="zxx" className="overflow-x-auto p-4 font-mono text-sm">
        <code>{code}</code>
      </pre>
    </figure>
  );
}
