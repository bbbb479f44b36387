import { useState } from 'react';
import { useOffline } from '#web/features/offline/network-state.ts';

export interface PictureState {
  /** `away`: it comes when the network is back. `gone`: it was deleted. */
  state: 'shown' | 'away' | 'gone';
  /** The picture could not be loaded. */
  fail(): void;
}

/** What is to be seen of a picture of the conversation; one that failed without a network is tried again once that is back. */
export function usePictureState(): PictureState {
  const isOffline = useOffline();
  const [hasFailed, setFailed] = useState(false);
  const [wasOffline, setWasOffline] = useState(isOffline);
  if (wasOffline !== isOffline) {
    setWasOffline(isOffline);
    if (!isOffline) setFailed(false);
  }
  const missing = isOffline ? 'away' : 'gone';
  return { state: hasFailed ? missing : 'shown', fail: () => setFailed(true) };
}
