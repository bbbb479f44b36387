import { useEffect, useState } from 'react';

const SAID_MS = 2_000;

/** Copies texts. `copied` is true for a moment after one was; `onRefused` is called where the browser does not let us. */
export function useCopy(onRefused?: () => void) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (text: string) => {
    try {
      // Missing where the page is not secure.
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      setCopied(false);
      onRefused?.();
    }
  };
  return { copied, copy };
}
