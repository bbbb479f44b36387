import { useMemo, useSyncExternalStore } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { type Attachment, type Attachments, onlySeen, readyIds } from './attachments.ts';

/** What sending has to know of a draft's files. */
export interface AttachmentsSummary {
  /** Ids of those that are ready, in their order. */
  ids: readonly string[];
  /** `busy`: some are not ready yet; `failed`: one will not be without its writer. */
  state: 'none' | 'ready' | 'busy' | 'failed';
  /** One of them can only be seen. */
  needsVision: boolean;
}

/** Sums up a draft's files; changes when one becomes ready or fails, not with each piece of an upload. */
export function useAttachmentsSummary(attachments: Attachments): AttachmentsSummary {
  const text = useSyncExternalStore(attachments.subscribe, () => JSON.stringify(sumUp(attachments.read())));
  return useMemo(() => JSON.parse(text) as AttachmentsSummary, [text]);
}

function sumUp(items: readonly Attachment[]): AttachmentsSummary {
  const ids = items.flatMap(({ id, state }) => (id !== null && state === 'ready' ? [id] : []));
  return {
    ids,
    state: stateOf(items),
    needsVision: items.some(({ info }) => info !== null && onlySeen(info)),
  };
}

function stateOf(items: readonly Attachment[]): AttachmentsSummary['state'] {
  if (items.length === 0) return 'none';
  if (readyIds(items) !== null) return 'ready';
  return items.some(({ state }) => state === 'failed' || state === 'cut') ? 'failed' : 'busy';
}

/** Whether the model cannot see what is attached and can only be seen. */
export function lacksVision(model: CatalogueModel | undefined, summary: AttachmentsSummary): boolean {
  return summary.needsVision && model !== undefined && !model.readsImages;
}
