import type { LedgerEntry } from '#contract/credits.ts';
import type { LineRow } from './store.ts';

/** A line of the ledger as the user sees it. */
export function presentEntry(line: LineRow): LedgerEntry {
  return {
    id: line.id,
    time: line.at.getTime(),
    kind: line.kind,
    amount: line.change,
    balanceAfter: line.balanceAfter,
    reason: line.reason,
    messageId: line.holdId,
    orderId: line.holdId === null ? line.orderId : null,
    ...(line.keyName === null ? {} : { keyName: line.keyName }),
    ...(line.model === null ? {} : { model: line.model }),
    ...(line.lines === null ? {} : { lines: line.lines }),
    ...(line.pending ? { pending: true } : {}),
  };
}
