import { LANGUAGE_PATTERN } from './choices.ts';

const AUTH_PAGE = new RegExp(`^/(${LANGUAGE_PATTERN})/(login|register)(/|$)`);
/** Visible ASCII, as browsers write paths, without the backslash, which they read as a slash. */
const WRITTEN = /^\/[!-[\]-~]*$/;
/** A step up, one that stays, or none at all: what is left after them may begin with two slashes. */
const NO_STEP = /^(\.|%2e){0,2}$/i;

/**
 * Where to go after signing in: `wanted` when it is a path of this site other than those of signing in and up, else `fallback`.
 * Another site's address in any disguise (`//evil`, `/\evil`, `/%09/evil`, `javascript:`) is not followed.
 */
export function returnPath(wanted: string | null, fallback: string): string {
  if (wanted === null || !WRITTEN.test(wanted)) return fallback;
  const [path = ''] = wanted.split(/[?#]/);
  const steps = path.slice(1).split('/');
  const isPlain = steps.every((step, at) => !NO_STEP.test(step) || (step === '' && at === steps.length - 1));
  return isPlain && !AUTH_PAGE.test(path) ? wanted : fallback;
}
