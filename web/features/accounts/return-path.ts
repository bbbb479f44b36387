const OWN_ORIGIN = 'https://own.invalid';
const ENTRANCE = /^\/(zh|en)\/(login|register)(\/|$)/;

/**
 * Where to go after signing in: `wanted` when it is a path of this site other than the entrances, else `fallback`.
 * Another site's address in any disguise (`//evil`, `/\evil`, `/%09/evil`, `javascript:`) is not followed.
 */
export function returnPath(wanted: string | null, fallback: string): string {
  if (!wanted?.startsWith('/') || !URL.canParse(wanted, OWN_ORIGIN)) return fallback;
  const url = new URL(wanted, OWN_ORIGIN);
  if (url.origin !== OWN_ORIGIN || url.pathname.startsWith('//') || ENTRANCE.test(url.pathname))
    return fallback;
  return url.pathname + url.search + url.hash;
}
