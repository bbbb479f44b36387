import type { Mode } from './facts.ts';

const LIVE_HOSTS = ['api.creem.io', 'live.bagelpay.io'];

/** The world behind a base URL: live at the providers' live hosts, else test. */
export function modeOf(baseUrl: string): Mode {
  return LIVE_HOSTS.includes(new URL(baseUrl).hostname) ? 'live' : 'test';
}
