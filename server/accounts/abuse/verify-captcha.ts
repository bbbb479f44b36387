import type { Context } from 'hono';
import { z } from 'zod';
import { CAPTCHA_HEADER } from '#contract/choices.ts';
import type { CaptchaSettings } from '#server/config.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { rootCause } from '#server/platform/log.ts';
import { readBounded } from '#server/platform/read-bounded.ts';
import { captchaAddresses } from './captcha-providers.ts';

/** A caller who may have to solve a captcha. */
export interface Solver {
  ip: string;
  /** The proof, if one came. */
  captcha: string | null;
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 65_536;
const MAX_TOKEN = 8_192;

const answerSchema = z.object({ success: z.boolean(), 'error-codes': z.array(z.string()).optional() });
/** What says that our own settings are wrong, and nothing about the reader. */
const OUR_FAULTS = ['missing-input-secret', 'invalid-input-secret', 'sitekey-secret-mismatch'];

/** The proof that came with a request. */
export function captchaOf(c: Context): string | null {
  return c.req.header(CAPTCHA_HEADER)?.slice(0, MAX_TOKEN) || null;
}

/**
 * Asks the provider that is set whether this is a person; without one everybody is let through. Throws `captcha_required` with what a
 * page needs to ask, `captcha_failed`, and `captcha_unavailable` when the provider does not answer: then no caller passes.
 */
export async function verifyCaptcha(
  { config, log }: Pick<Deps, 'config' | 'log'>,
  { ip, captcha }: Solver,
): Promise<void> {
  const settings = config.captcha;
  if (!settings) return;
  if (captcha === null) {
    const { provider, siteKey } = settings;
    throw new AppError('captcha_required', { provider, siteKey, script: captchaAddresses(settings).script });
  }
  const answer = await ask(settings, captcha, ip).catch((error: unknown) => {
    log.error({ err: rootCause(error), alert: 'captcha' }, 'the captcha provider cannot be asked');
    throw new AppError('captcha_unavailable');
  });
  if (answer.success) return;
  const faults = answer['error-codes'] ?? [];
  if (!faults.some((fault) => OUR_FAULTS.includes(fault))) throw new AppError('captcha_failed');
  log.error({ faults, alert: 'captcha' }, 'the captcha provider refuses our settings');
  throw new AppError('captcha_unavailable');
}

async function ask(settings: CaptchaSettings, token: string, ip: string) {
  const response = await fetch(captchaAddresses(settings).verify, {
    method: 'POST',
    body: new URLSearchParams({ secret: settings.secret, response: token, remoteip: ip }),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await readBounded(response, MAX_BYTES);
  if (!response.ok) throw new Error(`the captcha provider answered ${response.status}`);
  return answerSchema.parse(JSON.parse(text));
}
