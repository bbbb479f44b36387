import { useEffect, useState } from 'react';
import { ApiError, errorFrom } from '#web/lib/api.ts';
import type { PdfFault } from './frame-channel.ts';
import type { PageSize } from './page-layout.ts';
import { PdfError, PdfFrame } from './pdf-frame.ts';

/** A PDF whose pages can be drawn. */
export interface OpenPdf {
  frame: PdfFrame;
  /** Of every page; null while it is not known, and where a page has none. */
  sizes: readonly (PageSize | null)[];
}

type PdfState = OpenPdf | { fault: PdfFault | ApiError } | null;

/** Loads a PDF and opens it in a frame of its own, which ends with the component; null until then. `attempt`: another one tries again. */
export function usePdf(fileId: string, attempt: number): PdfState {
  const [state, setState] = useState<PdfState>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads it again.
  useEffect(() => {
    const left = new AbortController();
    const { signal } = left;
    const frame = new PdfFrame(fetchContent(fileId, signal));
    const show = (next: PdfState) => signal.aborted || setState(next);
    const load = async () => {
      show(null);
      const { pages, first } = await frame.open();
      show({ frame, sizes: Array.from({ length: pages }, () => first) });
      if (pages === 1) return;
      const sizes = await frame.listSizes().catch(() => []);
      if (sizes.length === pages) show({ frame, sizes });
    };
    load().catch((error) => {
      frame.close();
      show({ fault: error instanceof PdfError ? error.fault : asApiError(error) });
    });
    return () => {
      left.abort();
      frame.close();
    };
  }, [fileId, attempt]);
  return state;
}

async function fetchContent(fileId: string, signal: AbortSignal): Promise<Blob> {
  const response = await fetch(`/api/files/${fileId}/content`, { signal });
  if (!response.ok) throw errorFrom(response.status, await response.text());
  return response.blob();
}

function asApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError('network');
}
