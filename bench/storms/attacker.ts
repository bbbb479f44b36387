import { type AttackOrder, type Held, STORMS } from './storms.ts';

/** A process of its own for one side of a storm: it opens, freezes and closes connections on command, and reports what it saw. */
let held: Held | null = null;

const acts: Record<AttackOrder['act'], (order: AttackOrder) => Promise<unknown>> = {
  start: async ({ target }) => {
    held = target ? STORMS[target.storm](target) : null;
    await held?.ready;
  },
  freeze: async () => held?.freeze(),
  stop: async () => held?.stop(),
};

process.on('message', (order: AttackOrder) => {
  acts[order.act](order).then(
    () => process.send?.(held?.seen ?? {}),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit(0));
