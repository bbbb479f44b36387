import type { GoogleNews, GoogleOutcome, GooglePurpose } from '#contract/accounts/google.ts';

/** Where `web/public/google-done.js` speaks. */
const CHANNEL = 'google';

export interface GoogleTrip {
  purpose: GooglePurpose;
  /** Where a redirect leads in the end, when no popup can be had. */
  returnTo: string;
  rememberMe?: boolean;
  /** The popup is closed, or the user has come back otherwise or never left; its outcome may still arrive. */
  onClosed: () => void;
  /** The caller waits no more. */
  signal: AbortSignal;
}

const WATCH_MS = 300;
/** A page that has not left by then was kept from it, as by Stop. */
const LEAVING_MS = 20_000;
const SIZE = { width: 480, height: 680 };

/**
 * Goes to Google in a popup, and reports the outcome once it is known; on a phone, and where popups are blocked, in place of this
 * page. To be called in a click.
 */
export function startGoogle({ purpose, returnTo, rememberMe, onClosed, signal }: GoogleTrip) {
  const flow = crypto.randomUUID();
  const urlOf = (mode: 'popup' | 'redirect') => {
    const query = { purpose, mode, returnTo, remember: String(rememberMe ?? true), flow };
    return `/api/auth/google/start?${new URLSearchParams(query)}`;
  };
  const outcome = receiveOutcome(flow, signal);
  const popup = isPhone() ? null : window.open(urlOf('popup'), '_blank', placeOf(SIZE));
  if (popup) watch(popup, onClosed, signal);
  else leave(urlOf('redirect'), onClosed, signal);
  return outcome;
}

/** What the popup reports. It may close before it reports its outcome. */
function receiveOutcome(flow: string, signal: AbortSignal): Promise<GoogleOutcome> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(CHANNEL);
    signal.addEventListener('abort', () => channel.close());
    channel.onmessage = ({ data }: MessageEvent<Partial<GoogleNews>>) => {
      if (data.flow !== flow || !data.outcome) return;
      channel.close();
      resolve(data.outcome);
    };
  });
}

function watch(popup: Window, onClosed: () => void, signal: AbortSignal) {
  const timer = setInterval(() => {
    if (!popup.closed) return;
    clearInterval(timer);
    onClosed();
  }, WATCH_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
}

/** Has this page go to Google. It may be kept from that, or be brought back as it was left. */
function leave(url: string, onClosed: () => void, signal: AbortSignal) {
  window.addEventListener('pageshow', onClosed, { signal });
  const timer = setTimeout(onClosed, LEAVING_MS);
  signal.addEventListener('abort', () => clearTimeout(timer));
  window.location.assign(url);
}

function isPhone(): boolean {
  return window.matchMedia('(hover: none) and (pointer: coarse)').matches;
}

function placeOf({ width, height }: typeof SIZE): string {
  const left = Math.round(window.screenX + (window.outerWidth - width) / 2);
  const top = Math.round(window.screenY + (window.outerHeight - height) / 2);
  return `popup,width=${width},height=${height},left=${left},top=${top}`;
}
