import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EmulatedService } from '#server/config.ts';

const fileOf = (dataDir: string) => join(dataDir, 'emulators', 'settings.json');

/** Keeps where the stand-ins are and their keys, for programs beside the server; readable by the owner only. */
export function keepEmulatorSettings(dataDir: string, env: Readonly<Record<string, string>>): void {
  if (Object.keys(env).length === 0) return;
  mkdirSync(join(dataDir, 'emulators'), { recursive: true });
  writeFileSync(fileOf(dataDir), JSON.stringify(env), { mode: 0o600 });
}

/** Those of the kept settings that belong to services which have no key of their own; none where nothing was ever emulated. */
export function readEmulatorSettings(
  dataDir: string,
  emulate: readonly EmulatedService[],
): Record<string, string> {
  const kept = Object.entries(readKept(dataDir));
  const isOurs = (name: string) => emulate.some((service) => name.startsWith(`${service.toUpperCase()}_`));
  return Object.fromEntries(kept.filter(([name]) => isOurs(name)));
}

function readKept(dataDir: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}
