import { type DragEvent, useRef, useState } from 'react';

const loadReader = () => import('./dropped-files.ts');

/** Takes files and folders that are dropped on an element; `isOver` while some are held above it. */
export function useFileDrop(onFiles: (files: readonly File[]) => void) {
  const [isOver, setOver] = useState(false);
  const depth = useRef(0);
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  const enter = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    depth.current += 1;
    setOver(true);
  };
  const leave = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    depth.current = Math.max(0, depth.current - 1);
    if (depth.current === 0) setOver(false);
  };
  const over = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
  };
  const drop = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth.current = 0;
    setOver(false);
    // What was dropped can be asked for its folders only now.
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry());
    const files = [...event.dataTransfer.files];
    if (entries.every((entry) => entry === null || entry.isFile)) return onFiles(files);
    void loadReader().then(
      ({ readDropped }) => readDropped(entries).then(onFiles),
      () => onFiles(files.filter((_, place) => entries[place]?.isFile ?? true)),
    );
  };
  return { isOver, handlers: { onDragEnter: enter, onDragLeave: leave, onDragOver: over, onDrop: drop } };
}
