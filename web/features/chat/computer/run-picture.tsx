import { Globe } from 'lucide-react';
import type { ReactNode } from 'react';
import { shortAddress } from '#i18n/say-action.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { Translate } from '#web/lib/translate.ts';
import { LargePicture } from './large-picture.tsx';
import type { BrowserRun } from './read-run.ts';
import type { LiveScreen } from './use-live-screen.ts';
import './computer.css';

interface RunPictureProps {
  run: BrowserRun;
  shown: number | null;
  screen: LiveScreen;
  /** The reader drives: a press on it is for the page. */
  isDriven: boolean;
}

/** The page as it is, or after the step that is shown; a press makes it larger. */
export function RunPicture({ run, shown, screen, isDriven }: RunPictureProps) {
  const { t } = useTranslation('common');
  const source = sourceOf(run, shown, screen);
  if (source === null) {
    return (
      <p className="absolute inset-0 grid place-items-center p-4 text-center text-soft text-sm">
        {t(shown === null ? 'computer.empty' : 'computer.noPicture')}
      </p>
    );
  }
  return (
    <>
      <img
        src={source}
        alt={nameOf(t, shown)}
        className="absolute inset-0 size-full object-contain object-top"
      />
      {isDriven ? null : <ShowLarger run={run} shown={shown} screen={screen} isDriven={false} />}
    </>
  );
}

/** The way to the picture in large: over the picture, or where that is driven a button that stands where it is put. */
export function ShowLarger({ run, shown, screen, isDriven }: RunPictureProps) {
  const { t } = useTranslation('common');
  const source = sourceOf(run, shown, screen);
  if (source === null) return null;
  return (
    <LargePicture
      source={source}
      name={nameOf(t, shown)}
      address={shortAddress(addressOf(run, shown, screen))}
      isAsked={run.asked !== null}
      isDriven={isDriven}
    />
  );
}

function nameOf(t: Translate, shown: number | null): string {
  return shown === null ? t('computer.live') : t('computer.picture', { n: shown });
}

function sourceOf(run: BrowserRun, shown: number | null, screen: LiveScreen): string | null {
  const step = pictured(run, shown);
  const kept = step?.fileId ? `/api/files/${step.fileId}/content` : null;
  return shown === null ? (screen.picture ?? kept) : kept;
}

/** Where the page is, and what can be done with its picture. */
export function AddressLine({ url, children }: { url: string; children: ReactNode }) {
  const { t } = useTranslation('common');
  const isOpen = /^https?:/.test(url);
  return (
    <div className="computer-address flex min-h-9 items-center gap-2 border-line border-b pr-1 pl-3 text-soft text-sm">
      <Globe aria-hidden size={14} strokeWidth={1.5} className="shrink-0" />
      <span className="sr-only">{t('computer.address')}</span>
      <span dir="ltr" title={isOpen ? url : undefined} className="min-w-0 grow truncate">
        {isOpen ? shortAddress(url) : t('computer.noAddress')}
      </span>
      {children}
    </div>
  );
}

/** The step whose picture is kept: the one that is shown, or the last that has one. */
export function pictured(run: BrowserRun, shown: number | null) {
  return shown === null ? run.steps.findLast(({ fileId }) => fileId !== null) : stepOf(run, shown);
}

function stepOf(run: BrowserRun, n: number) {
  return run.steps.find((step) => step.n === n);
}

/** The address of the page that is shown. */
export function addressOf(run: BrowserRun, shown: number | null, screen: LiveScreen): string {
  if (shown !== null) return stepOf(run, shown)?.url ?? '';
  return screen.state?.url || (run.steps.at(-1)?.url ?? '');
}
