import { z } from 'zod';

/** The result of the proof of the walls. */
export const wallsSchema = z.object({
  /** `off`: no browser may be started, `reason` says why in English. */
  state: z.enum(['ready', 'off']),
  reason: z.string(),
  walls: z.literal('namespaces'),
  /** Such as `Chromium 156.0.8078.79`; empty when none was found. */
  browser: z.string(),
  /** Runs that this host has room for at once. */
  runs: z.int(),
  checks: z.array(z.object({ name: z.string(), ok: z.boolean(), found: z.string() })),
});

export type Walls = z.infer<typeof wallsSchema>;
