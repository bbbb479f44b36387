import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { expect, vi } from 'vitest';
import { listProcesses } from '#server/computer/host/walls/process-watch.ts';
import { PATIENT } from '#test/patient.ts';

/** The network namespace of a process; null when it has ended. */
function networkOf(pid: number | 'self'): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    return null;
  }
}

/** Processes of this machine in a network namespace. */
function inNetwork(name: string): number[] {
  const pids = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid));
  return pids.map(Number).filter((pid) => networkOf(pid) === name);
}

/** What a process was started with; empty when it has ended. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** The processes below one, itself included, whose command is wanted. */
export async function findBelow(root: number, isWanted: (command: string) => boolean): Promise<number[]> {
  return (await listProcesses(root)).filter((pid) => isWanted(commandOf(pid)));
}

/** Processes below one, and the network namespaces that they have of their own: what draws pages has one more. */
export interface Below {
  pids: number[];
  networks: string[];
}

/** What is below a process now. */
export async function lookBelow(root: number): Promise<Below> {
  const [, ...pids] = await listProcesses(root);
  const networks = new Set(pids.map(networkOf).filter((name) => name !== null));
  networks.delete(networkOf('self') ?? '');
  return { pids, networks: [...networks] };
}

/** Waits until none of these processes is left and nobody is in their networks. */
export async function expectGone({ pids, networks }: Below): Promise<void> {
  await vi.waitFor(() => expect(networks.flatMap(inNetwork)).toEqual([]), PATIENT);
  await vi.waitFor(() => expect(pids.filter((pid) => commandOf(pid) !== '')).toEqual([]), PATIENT);
}
