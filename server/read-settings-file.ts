import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import type { Environment } from '#server/platform/environment.ts';

/** What the JSON file that a setting names says; null where none is set. Reports what is wrong with it to `env`. */
export function readSettingsFile<Schema extends z.ZodType>(
  env: Environment,
  setting: string,
  schema: Schema,
): z.output<Schema> | null {
  const path = env.text(setting);
  if (path === null) return null;
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'), refuseProto);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const zh = `文件应存在且为 JSON（${reason}）`;
    env.report(setting, path, { zh, en: `the file must exist and be JSON (${reason})` });
    return null;
  }
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  env.report(setting, path, { zh: `文件内容有误（${faults}）`, en: `mend the file (${faults})` });
  return null;
}

/** Throws at a name that a schema would drop without a word. */
function refuseProto(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new Error('__proto__ names nothing');
  return value;
}
