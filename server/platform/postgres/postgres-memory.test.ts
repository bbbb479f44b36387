import { describe, expect, it } from 'vitest';
import { machineMemory, memorySettings } from './postgres-memory.ts';

const GB = 1024 ** 3;

describe('the memory of the embedded PostgreSQL', () => {
  it.each([
    [0.5, '128MB'],
    [1, '128MB'],
    [4, '512MB'],
    [24, '2048MB'],
  ])('of a machine with %d GB is an eighth of it, within bounds', (size, cache) => {
    expect(memorySettings(size * GB, null).shared_buffers).toBe(cache);
  });

  it('is what the operator says', () => {
    expect(memorySettings(4 * GB, 64)).toEqual({
      shared_buffers: '64MB',
      effective_cache_size: '2048MB',
      maintenance_work_mem: '32MB',
    });
  });

  it('is counted on a machine that has some', () => {
    expect(machineMemory()).toBeGreaterThan(GB / 8);
  });
});
