import { ApiError } from '#web/lib/api.ts';

/** Whether trying again can help: no answer came, or what was wrong may have passed. */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status === null) return true;
  if (error.code === 'not_configured') return false;
  return error.status >= 500 || error.status === 429 || error.code === 'act_under_way';
}
