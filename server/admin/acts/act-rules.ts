import type { Act } from '#contract/admin/acts.ts';

/** What makes an act the same as another one under its id. */
export interface AskedAct {
  act: Act;
  reason: string;
  /** Null: the command line. */
  operatorId: string | null;
}

/** Whether two acts ask for the same, whatever the order of their names. */
export function isSameAct(one: AskedAct, other: AskedAct): boolean {
  return textOf(one) === textOf(other);
}

function textOf({ act, reason, operatorId }: AskedAct): string {
  return JSON.stringify([Object.entries(act).sort(), reason, operatorId]);
}
