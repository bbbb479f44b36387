import { totalmem } from 'node:os';
import { constrainedMemory } from 'node:process';

const MB = 1024 ** 2;
const MIN_MB = 128;
const MAX_MB = 2_048;

/** The machine's memory in bytes, or what a container may use of it. */
export function machineMemory(): number {
  const allowed = constrainedMemory();
  return allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
}

/**
 * How PostgreSQL uses memory on a machine of so many bytes that it shares with this server: an eighth for its own cache unless
 * `cacheMb` says how much, and half is likely to hold its files (postgresql.org/docs/current/runtime-config-resource.html).
 */
export function memorySettings(memory: number, cacheMb: number | null): Record<string, string> {
  const machineMb = memory / MB;
  const cache = cacheMb ?? Math.round(Math.min(MAX_MB, Math.max(MIN_MB, machineMb / 8)));
  return {
    shared_buffers: `${cache}MB`,
    effective_cache_size: `${Math.round(Math.max(cache, machineMb / 2))}MB`,
    maintenance_work_mem: `${Math.round(Math.min(256, Math.max(32, cache / 4)))}MB`,
  };
}
