import type { Context } from 'hono';
import type { GoogleNews, GoogleOutcome, GoogleStart } from '#contract/accounts/google.ts';
import { LANGUAGE_PATTERN, type Language } from '#contract/choices.ts';
import { languageOf } from '#server/platform/translate.ts';
import type { HttpEnv } from '../sessions/authenticate.ts';
import { setCookies } from '../sessions/read-browser.ts';
import type { Ending } from './finish-flow.ts';

/** Where Google accounts are connected. */
const ACCOUNT = '/profile/security';
const PREFIX = new RegExp(`^/(${LANGUAGE_PATTERN})(/|$)`);

/** Where the flow began, and where the user wants to go. */
type Landing = Pick<GoogleStart, 'purpose' | 'mode' | 'returnTo' | 'flow'>;

/** Sends a browser that comes back from Google on, with the cookies of how it went. */
export function presentLanding(c: Context<HttpEnv>, where: Landing, ending: Ending): Response {
  setCookies(c, ending.cookies);
  return c.redirect(landingOf(where, ending.outcome, languageOf(c)));
}

/** Where the browser goes with how it went: a popup to the page that informs its opener, else the page where the user was going. */
function landingOf(
  { purpose, mode, returnTo, flow }: Landing,
  outcome: GoogleOutcome,
  spoken: Language,
): string {
  if (mode === 'popup') {
    const news: GoogleNews = { flow, outcome };
    return `/api/auth/google/done#${encodeURIComponent(JSON.stringify(news))}`;
  }
  if (outcome === 'done') return returnTo;
  if (outcome !== 'second_step' && (purpose === 'link' || purpose === 'confirm'))
    return outcome === 'cancelled' ? ACCOUNT : `${ACCOUNT}?google=${outcome}&purpose=${purpose}`;
  const language = PREFIX.exec(returnTo)?.[1] ?? spoken;
  const page = purpose === 'sign-up' && outcome !== 'second_step' ? 'register' : 'login';
  const query = new URLSearchParams({
    next: returnTo,
    ...(outcome === 'cancelled' ? {} : { google: outcome }),
  });
  return `/${language}/${page}?${query}`;
}
