import { readFileSync } from 'node:fs';
import type { Environment } from '#server/platform/environment.ts';
import { DEFAULT_MODEL_ROUTES, type ModelsFile, modelsFileSchema } from './catalogue/model-routes.ts';

/** What the file that `MODELS_FILE` names says; null where none is set. Reports what is wrong with it to `env`. */
export function readModelsFile(env: Environment): ModelsFile | null {
  const path = env.text('MODELS_FILE');
  if (path === null) return null;
  const fault = (zh: string, en: string) => {
    env.report('MODELS_FILE', path, { zh, en });
    return null;
  };
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fault(`文件应存在且为 JSON（${reason}）`, `the file must exist and be JSON (${reason})`);
  }
  const parsed = modelsFileSchema.safeParse(content);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
    return fault(`文件内容有误（${faults}）`, `mend the file (${faults})`);
  }
  const known = Object.keys(DEFAULT_MODEL_ROUTES);
  const unknown = Object.keys(parsed.data).filter((id) => !known.includes(id));
  if (unknown.length === 0) return parsed.data;
  const wrong = unknown.join(', ');
  return fault(
    `没有名为 ${wrong} 的模型，可用 ${known.join('、')}`,
    `there is no model ${wrong}; use ${known.join(', ')}`,
  );
}
