import type { BaseDeps } from '#server/base-deps.ts';
import type { HostClient } from '../client/host-client.ts';

/** The dependencies of a browser run. */
export type RunDeps = Omit<BaseDeps, 'computer'> & { host: HostClient };
