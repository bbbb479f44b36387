import { MINUTE_MS } from '#contract/time.ts';
import type { Deps } from './deps.ts';
import { readMeasured } from './files/ingest/read-measured.ts';
import { type FileJobs, startFileJobs } from './files/jobs.ts';
import { READING_LIMITS } from './files/reading/reading-rules.ts';
import type { Jobs } from './platform/jobs/jobs.ts';

const DELETE_TIMEOUT_MS = MINUTE_MS;

/** Begins the jobs of files with what they call beyond their domain; a test may bring its own of that. */
export function wireFileJobs(deps: Deps, jobs: Jobs, others: Partial<FileJobs> = {}): void {
  const limits = { ...READING_LIMITS, bytes: deps.config.files.limitBytes };
  startFileJobs(deps, jobs, {
    readFile: (bytes, options) => readMeasured(deps, bytes, { ...options, limits }),
    deleteCopy: (copy) => deps.upstream.deleteCopy(copy, AbortSignal.timeout(DELETE_TIMEOUT_MS)),
    ...others,
  });
}
