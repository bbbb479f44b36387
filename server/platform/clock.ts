/** Where time comes from. Tests pass another one. */
export interface Clock {
  /** The time now, for everything that is not stored by the ledger. */
  now(): Date;
  /** The time to hand to SQL: null means the database's own clock, so that a skewed host cannot move an expiry. */
  databaseTime(): Date | null;
}

export const systemClock: Clock = {
  now: () => new Date(),
  databaseTime: () => null,
};
