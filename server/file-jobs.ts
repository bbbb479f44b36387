import type { Deps } from './deps.ts';
import type { FileJobs } from './files/jobs.ts';
import { readFile } from './files/reading/read-file.ts';
import { READING_LIMITS } from './files/reading/reading-rules.ts';

/** What the jobs of files call beyond their domain. */
export function fileJobs({ config }: Pick<Deps, 'config'>): FileJobs {
  const limits = { ...READING_LIMITS, bytes: config.files.limitBytes };
  return { readFile: (input) => readFile(input, limits), deleteCopy: null };
}
