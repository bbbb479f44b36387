/** What may not be exceeded. */
export const BUDGETS = {
  /** Seconds from the click on the hosted page to the credits on the live channel, at the 95th percentile. */
  creditsSeen: { webhooks: 2, dropped: 60 },
  /** Milliseconds until a webhook is answered, at the 99th percentile, under `WEBHOOKS_PER_SECOND`. */
  webhookP99: 250,
} as const;

export const WEBHOOKS_PER_SECOND = 1_000;
