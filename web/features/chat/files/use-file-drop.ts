import { useEffect, useEffectEvent, useState } from 'react';

const loadReader = () => import('./dropped-files.ts');

/** Takes files and folders that are dropped anywhere in the window; true while some are held above it. */
export function useFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const take = useEffectEvent(onFiles);
  useEffect(() => {
    const left = new AbortController();
    let depth = 0;
    const go = (to: number) => {
      depth = Math.max(0, to);
      setOver(depth > 0);
    };
    const listen = (type: 'dragenter' | 'dragleave' | 'dragover' | 'drop', act: (event: DragEvent) => void) =>
      addEventListener(
        type,
        (event) => {
          if (event.dataTransfer?.types.includes('Files')) act(event);
        },
        { signal: left.signal },
      );
    listen('dragenter', () => go(depth + 1));
    listen('dragleave', () => go(depth - 1));
    listen('dragover', (event) => {
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
    });
    listen('drop', (event) => {
      event.preventDefault();
      go(0);
      if (event.dataTransfer) readFiles(event.dataTransfer, take);
    });
    return () => left.abort();
  }, []);
  return isOver;
}

function readFiles(dropped: DataTransfer, take: (files: readonly File[]) => void) {
  // What was dropped can be asked for its folders only now.
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry());
  const files = [...dropped.files];
  if (entries.every((entry) => entry === null || entry.isFile)) return take(files);
  void loadReader().then(
    ({ readDropped }) => readDropped(entries).then(take),
    () => take(files.filter((_, place) => entries[place]?.isFile ?? true)),
  );
}
