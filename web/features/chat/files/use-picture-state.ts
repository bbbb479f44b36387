import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { FileInfo } from '#contract/message/files.ts';
import { useOffline } from '#web/features/offline/network-state.ts';
import { callApi } from '#web/lib/api.ts';
import { isGone } from '../viewer/use-file-info.ts';

/** Pauses before one that the server has, but did not give, is asked for again. */
const AGAIN_MS = [5_000, 15_000, 60_000];

export interface PictureState {
  /** `away`: it comes when the network is back. `later`: it could not be loaded now. `gone`: it was deleted. */
  state: 'shown' | 'away' | 'later' | 'gone';
  /** The picture could not be loaded. */
  fail(): void;
}

/** Where TanStack Query keeps that a file was deleted on this page. */
export const deletedKey = (fileId: string) => ['file-deleted', fileId] as const;

/** What is said in the place of a picture that is not shown. */
export const PICTURE_TEXT = {
  away: 'files.pictureAway',
  later: 'files.pictureLater',
  gone: 'files.pictureGone',
} as const;

/** What is to be seen of a picture of the conversation; one that failed without a network is tried again once that is back. */
export function usePictureState(fileId: string): PictureState {
  const { data: isDeleted = false } = useQuery<boolean>({ queryKey: deletedKey(fileId), queryFn: skipToken });
  const client = useQueryClient();
  const isOffline = useOffline();
  const tries = useRef(0);
  const [hasFailed, setFailed] = useState(false);
  const [wasOffline, setWasOffline] = useState(isOffline);
  if (wasOffline !== isOffline) {
    setWasOffline(isOffline);
    if (!isOffline) setFailed(false);
  }
  const missing = isOffline ? 'away' : 'later';
  const state = isDeleted ? 'gone' : hasFailed ? missing : 'shown';
  const fail = async () => {
    setFailed(true);
    if (isOffline) return;
    const info = callApi<FileInfo>(`/api/files/${fileId}`);
    if (isGone(await info.catch((error: unknown) => error))) client.setQueryData(deletedKey(fileId), true);
    else if (tries.current < AGAIN_MS.length) {
      setTimeout(() => setFailed(false), AGAIN_MS[tries.current]);
      tries.current += 1;
    }
  };
  return { state, fail: () => void fail() };
}
