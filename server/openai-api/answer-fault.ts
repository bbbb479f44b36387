import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Language } from '#contract/choices.ts';
import type { HttpEnv } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { faultOfError } from '#server/platform/http/answer-error.ts';
import { drainBody } from '#server/platform/http/read-body.ts';
import { readLanguage } from '#server/platform/translate.ts';
import { presentError } from './present-error.ts';

/** The answer to a call of `/v1` that threw, in OpenAI's shape. */
export async function answerFault(
  { log }: Pick<Deps, 'log'>,
  c: Context<HttpEnv>,
  error: unknown,
): Promise<Response> {
  const { status, body, headers } = presentError(faultOfError(error, c, log), languageOfCaller(c));
  if (status === 413 && !(await drainBody(c))) c.header('connection', 'close');
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  return c.json(body, status as ContentfulStatusCode);
}

/** Programs call, and seldom name a language: English, unless Chinese is asked for. */
export function languageOfCaller(c: Context): Language {
  const asked = c.req.header('accept-language');
  return readLanguage({ cookie: undefined, acceptLanguage: asked ? `${asked}, en;q=0.001` : 'en' });
}
