const KEY = 'chat.single-keys';

/** Are shortcuts of a single key switched on, on this device; they are unless somebody switched them off. */
export function readSingleKeys(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}

export function keepSingleKeys(on: boolean): void {
  try {
    localStorage.setItem(KEY, on ? 'on' : 'off');
  } catch {
    // Storage is forbidden: they stay on.
  }
}
