import type { Deps } from './deps.ts';
import type { FileJobs } from './files/jobs.ts';
import { readFile } from './files/reading/read-file.ts';
import { READING_LIMITS } from './files/reading/reading-rules.ts';

const DELETE_TIMEOUT_MS = 60_000;

/** What the jobs of files call beyond their domain. */
export function fileJobs({ config, upstream }: Pick<Deps, 'config' | 'upstream'>): FileJobs {
  const limits = { ...READING_LIMITS, bytes: config.files.limitBytes };
  return {
    readFile: (input) => readFile(input, limits),
    deleteCopy: (copy) => upstream.deleteCopy(copy, AbortSignal.timeout(DELETE_TIMEOUT_MS)),
  };
}
