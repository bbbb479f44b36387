import type { BaseDeps } from '#server/base-deps.ts';
import type { HostClient } from '../client/host-client.ts';

/** What a run of a browser takes. */
export type RunDeps = Omit<BaseDeps, 'computer'> & { host: HostClient };
