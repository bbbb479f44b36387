import type { DataExport } from '#contract/personal-data.ts';
import type { ExportRow } from './export-store.ts';

/** An export as its user sees it. */
export function presentExport({ id, state, requestedAt, size, expiresAt }: ExportRow): DataExport {
  return {
    id,
    state,
    requestedAt: requestedAt.getTime(),
    size,
    expiresAt: expiresAt?.getTime() ?? null,
  };
}
