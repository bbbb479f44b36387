import { useTranslation } from '#web/lib/i18n.tsx';
import { formatBytes } from '../files/describe-file.ts';
import { KeepButton } from './keep-button.tsx';
import type { BrowserRun } from './read-run.ts';
import type { KeptFiles } from './use-kept.ts';

/** Files that pages of the run offered, each to be kept. */
export function OfferedFiles({ run, kept }: { run: BrowserRun; kept: KeptFiles }) {
  const { t } = useTranslation('common');
  const offered = run.steps.flatMap(({ n, files = [] }) =>
    files.map((file, at) => ({ file, thing: { step: n, what: 'file' as const, n: at + 1 } })),
  );
  if (offered.length === 0) return null;
  return (
    <ul
      aria-label={t('computer.keep.offered')}
      className="max-h-36 overflow-y-auto border-line border-t py-0.5"
    >
      {offered.map(({ file: { name, bytes, site }, thing }) => (
        <li key={`${thing.step}:${thing.n}`} className="flex items-center gap-x-3 pr-1 pl-3 text-sm">
          <span className="flex min-w-0 grow flex-wrap items-baseline gap-x-2 py-1">
            <span dir="auto" className="wrap-anywhere">
              {name}
            </span>
            <span className="text-soft tabular-nums wrap-anywhere">
              {bytes === null ? site : `${formatBytes(t, bytes)} · ${site}`}
            </span>
          </span>
          <KeepButton
            thing={thing}
            kept={kept}
            text={t('computer.keep.file')}
            label={t('computer.keep.fileOf', { name })}
          />
        </li>
      ))}
    </ul>
  );
}
