import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The secret kept in `folder/name`, made on first use: 32 random bytes in base64url, readable by the owner only. Several
 * processes that make it at once all get the same one.
 */
export function keepSecret(folder: string, name: string): string {
  const path = join(folder, name);
  const kept = readSecret(path);
  if (kept !== null) return kept;
  mkdirSync(folder, { recursive: true });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(draft);
  }
  return readSecret(path) ?? refuseEmpty(path);
}

/** The secret kept in `folder/name`; null: there is none, or none that may be read. */
export function findSecret(folder: string, name: string): string | null {
  try {
    return readSecret(join(folder, name));
  } catch (error) {
    if (isCode(error, 'EACCES')) return null;
    throw error;
  }
}

function readSecret(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim() || null;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function refuseEmpty(path: string): never {
  throw new Error(`${path} 是空的，请删除它后重试。${path} is empty; delete it and try again.`);
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
