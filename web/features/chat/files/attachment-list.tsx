import {
  ChevronDown,
  FileText,
  FileWarning,
  Image as ImageIcon,
  LoaderCircle,
  RotateCcw,
  Sheet,
  X,
} from 'lucide-react';
import { type ButtonHTMLAttributes, type RefObject, useEffect, useRef, useSyncExternalStore } from 'react';
import type { ApiErrorCode } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { classNames } from '#web/ui/class-names.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Menu, MenuChoice, MenuOption } from '#web/ui/menu.tsx';
import { CutText, FILE_ENDING } from '#web/ui/text/cut-text.tsx';
import { showAlert } from '#web/ui/toast-store.ts';
import { type Attachment, type Attachments, isPicture } from './attachments.ts';
import { describeFile, formatBytes, tablesOf } from './describe-file.ts';

const ICON = { 'aria-hidden': true, size: 20, strokeWidth: 1.5 } as const;

const FAULT = 'mt-1 px-2 text-danger text-xs';

const STATES: Partial<Record<Attachment['state'], TextKey>> = {
  waiting: 'files.waiting',
  lost: 'files.lost',
  reading: 'files.reading',
};

/** What is wrong with a file itself, beside its name: to upload it again would change nothing. */
const FAULTS: Partial<Record<ApiErrorCode, TextKey>> = {
  file_empty: 'files.isEmpty',
  file_too_large: 'files.isTooLarge',
  file_type_unsupported: 'files.isUnsupported',
  file_unreadable: 'files.isUnreadable',
  file_encrypted: 'files.isEncrypted',
  file_too_complex: 'files.isTooComplex',
  file_deleted: 'files.isDeleted',
};

/** The files of the message being written, with how far each is, and how many were left out. */
export function AttachmentList({ attachments }: { attachments: Attachments }) {
  const { t } = useTranslation('common');
  const items = useSyncExternalStore(attachments.subscribe, attachments.read);
  const leftOut = useSyncExternalStore(attachments.subscribe, attachments.readLeftOut);
  const list = useRef<HTMLUListElement>(null);
  useShowAdded(list, items.length);
  return (
    <>
      <ul
        ref={list}
        aria-label={t('files.attached')}
        className="rows flex max-h-[40dvh] flex-wrap gap-2 overflow-y-auto px-3 pt-3 empty:hidden"
      >
        {items.map((item) => (
          <li
            key={item.key}
            className={classNames('min-w-0 w-full', !isBroken(item) && 'sm:w-[calc(50%-0.25rem)]')}
          >
            <Chip item={item} attachments={attachments} />
            <Fault item={item} />
          </li>
        ))}
      </ul>
      {leftOut ? (
        <p role="alert" className="px-[calc(var(--inset)-1px)] pt-2 text-sm tabular-nums">
          {t('files.leftOut', { ...leftOut })}
        </p>
      ) : null}
    </>
  );
}

/** A file in a box that is as high whatever the file is and however far it came. */
function Chip({ item, attachments }: { item: Attachment; attachments: Attachments }) {
  const { t } = useTranslation('common');
  return (
    <div
      className={classNames(
        'relative flex h-14 items-center overflow-hidden rounded-control border bg-paper pr-0.5 pl-2 text-sm',
        isBroken(item) ? 'border-danger' : 'border-line',
      )}
    >
      <Face item={item} />
      <div className="ml-2 min-w-0 flex-1">
        <p dir="auto" title={item.name} className="leading-5 [text-autospace:no-autospace]">
          <CutText text={item.name} end={FILE_ENDING} />
        </p>
        <div className="flex min-h-6 items-center gap-x-1.5">
          <div className="min-w-0 text-xs [&>p]:truncate">
            <Line item={item} />
          </div>
          {item.state === 'ready' && item.info ? <EveryTurn item={item} attachments={attachments} /> : null}
        </div>
      </div>
      {mayRetry(item) ? (
        <IconButton label={t('files.retry', { name: item.name })} onClick={() => attachments.retry(item.key)}>
          <RotateCcw aria-hidden size={16} strokeWidth={1.5} />
        </IconButton>
      ) : null}
      <IconButton
        label={t(mayGoOn(item) ? 'files.cancel' : 'files.remove', { name: item.name })}
        onClick={() => attachments.remove(item.key)}
        className="pointer-fine:size-9"
      >
        <X aria-hidden size={16} strokeWidth={1.5} />
      </IconButton>
      <Progress item={item} />
    </div>
  );
}

/** Whether it needs the reader before it can go on. */
function isBroken({ state }: Attachment): boolean {
  return state === 'failed' || state === 'cut';
}

/** Beneath its box, where there is room: why a file is not sent as it is. */
function Fault({ item }: { item: Attachment }) {
  const { t } = useTranslation('common');
  if (item.state === 'failed') return <Failure item={item} />;
  if (item.state !== 'cut') return null;
  return (
    <p role="status" className={FAULT}>
      {t('files.cut')}
    </p>
  );
}

/** Brings what is added into sight, under what is there already. */
function useShowAdded(list: RefObject<HTMLUListElement | null>, count: number): void {
  const before = useRef(count);
  useEffect(() => {
    if (before.current > 0 && count > before.current)
      list.current?.lastElementChild?.scrollIntoView({ block: 'nearest' });
    before.current = count;
  }, [list, count]);
}

function Face({ item: { id, info, state } }: { item: Attachment }) {
  if (id && info?.hasThumbnail)
    return (
      <img
        src={`/api/files/${id}/thumbnail`}
        alt=""
        width={36}
        height={36}
        className="size-9 shrink-0 rounded-sm border border-line object-cover"
      />
    );
  const Icon = iconOf(info, state);
  const isBusy = Icon === LoaderCircle;
  return (
    <span className="inline-flex size-9 shrink-0 items-center justify-center text-soft">
      <Icon {...ICON} className={isBusy ? 'motion-safe:animate-spin' : undefined} />
    </span>
  );
}

/** The icon of a kind of file. */
function iconOf(info: Attachment['info'], state: Attachment['state']) {
  if (state === 'failed' || state === 'cut') return FileWarning;
  if (state !== 'ready') return LoaderCircle;
  if (isPicture(info?.type ?? null)) return ImageIcon;
  return info && tablesOf(info) ? Sheet : FileText;
}

/** Whether an upload that failed may do better now. */
function mayRetry({ state, info, problem }: Attachment): boolean {
  return state === 'failed' && info === null && !(problem !== null && problem.code in FAULTS);
}

/** Whether there is an upload to cancel. */
function mayGoOn(item: Attachment): boolean {
  return item.state === 'failed' ? mayRetry(item) : item.state !== 'ready';
}

/** Why a file cannot be sent. */
function Failure({ item: { info, problem, name } }: { item: Attachment }) {
  const { t } = useTranslation('common');
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => showFailed(line.current), []);
  const code = info?.error?.code ?? problem?.code ?? 'file_unreadable';
  const text = FAULTS[code]
    ? t(FAULTS[code], problem?.params)
    : (info?.error?.message ?? t(`errors.${code}` as TextKey, { name, ...problem?.params }));
  return (
    <p ref={line} role="alert" className={FAULT}>
      {text}
    </p>
  );
}

/** Brings a line into sight that has just failed, and as many as can be of those below it, which its text has moved. */
function showFailed(line: HTMLElement | null): void {
  const failed = line?.closest('ul')?.querySelectorAll('[role=alert]') ?? [];
  for (const one of [[...failed].at(-1), line]) void one?.closest('li')?.scrollIntoView({ block: 'nearest' });
}

/** What is known of a file, or what is going on with it. */
function Line({ item }: { item: Attachment }) {
  const { t } = useTranslation('common');
  const { state, info, bytes, sent } = item;
  if (state === 'uploading') {
    const percent = bytes === 0 ? 100 : Math.floor((sent / bytes) * 100);
    return <p className="text-soft tabular-nums">{t('files.uploading', { percent })}</p>;
  }
  const key = STATES[state];
  if (key)
    return (
      <p role="status" className="text-soft">
        {t(key)}
      </p>
    );
  const known = info && state === 'ready' ? describeFile(t, info, true) : formatBytes(t, bytes);
  return <p className="text-soft tabular-nums">{known}</p>;
}

function Progress({ item: { state, sent, bytes, name } }: { item: Attachment }) {
  const { t } = useTranslation('common');
  if (state !== 'uploading' && state !== 'lost') return null;
  return (
    <progress
      value={sent}
      max={bytes}
      aria-label={t('files.progressOf', { name })}
      className="absolute inset-x-0 bottom-0 h-0.5 w-full appearance-none bg-transparent [&::-moz-progress-bar]:bg-ink [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-ink"
    />
  );
}

/** Whether a file is read in each turn or in this one only. */
function EveryTurn({ item, attachments }: { item: Attachment; attachments: Attachments }) {
  const { t } = useTranslation('common');
  const isEvery = item.info?.everyTurn ?? true;
  const choose = (value: 'every' | 'once') => {
    attachments.setEveryTurn(item.key, value === 'every').catch(() => showAlert(t('chat.changeFailed')));
  };
  return (
    <Menu trigger={<TurnButton name={item.name} isEvery={isEvery} />}>
      <MenuChoice label={t('files.turns')} value={isEvery ? 'every' : 'once'} onChange={choose}>
        <MenuOption value="every">
          {t('files.everyTurn')}
          <span className="block text-soft text-sm">{t('files.everyTurnNote')}</span>
        </MenuOption>
        <MenuOption value="once">
          {t('files.thisTurn')}
          <span className="block text-soft text-sm">{t('files.thisTurnNote')}</span>
        </MenuOption>
      </MenuChoice>
    </Menu>
  );
}

interface TurnButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  name: string;
  isEvery: boolean;
}

function TurnButton({ name, isEvery, ...button }: TurnButtonProps) {
  const { t } = useTranslation('common');
  return (
    <button
      type="button"
      {...button}
      className="relative -ml-1 inline-flex min-h-6 shrink-0 items-center gap-0.5 rounded-sm px-1 text-ink text-xs hover:bg-sunken aria-expanded:bg-sunken pointer-coarse:after:absolute pointer-coarse:after:-inset-2.5"
    >
      <span className="sr-only">{t('files.turnsOf', { name })}</span>
      {t(isEvery ? 'files.everyTurn' : 'files.thisTurn')}
      <ChevronDown aria-hidden size={12} strokeWidth={1.5} className="text-soft" />
    </button>
  );
}
