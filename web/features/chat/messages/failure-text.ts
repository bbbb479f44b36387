import type { Message } from '#contract/chat.ts';
import type { Language } from '#contract/choices.ts';
import type { ErrorCode, ErrorParams } from '#contract/errors.ts';
import { errorKey } from '#i18n/error-key.ts';
import { formatMoment } from '#i18n/formats.ts';
import type { ApiError, ApiErrorCode } from '#web/lib/api.ts';
import type { Translation } from '#web/lib/i18n.tsx';
import type { TextKey, Translate } from '#web/lib/translate.ts';

/** Answers that ended badly and have more to say than “try again”. */
const ENDED: Partial<Record<ErrorCode, TextKey>> = {
  upstream_blocked: 'errors.upstream_blocked',
  upstream_empty: 'errors.upstream_empty',
  upstream_timeout: 'errors.upstream_timeout',
  computer_busy: 'errors.computer_busy',
  files_gone: 'errors.files_gone',
};

/** The same of a picture or a browser, whatever was said instead of it. */
const NOT_MADE: Partial<Record<ErrorCode, TextKey>> = {
  picture_blocked: 'errors.picture_blocked',
  picture_not_made: 'errors.picture_not_made',
  browser_failed: 'errors.browser_failed',
};

/** Refusals that the sender can do something about. */
const REFUSED: Partial<Record<ApiErrorCode, TextKey>> = {
  insufficient_credits: 'errors.insufficient_credits',
  model_not_allowed: 'errors.model_not_allowed',
  model_paused: 'errors.model_paused',
  account_frozen: 'errors.account_frozen',
  prompt_too_long: 'errors.prompt_too_long',
  payload_too_large: 'errors.prompt_too_long',
  prompt_empty: 'errors.prompt_empty',
  parent_still_running: 'errors.parent_still_running',
  too_many_running: 'errors.too_many_running',
  too_many_streams: 'errors.too_many_streams',
  too_many_unanswered: 'errors.too_many_unanswered',
  computer_busy: 'errors.computer_busy',
  quote_changed: 'errors.quote_changed',
  file_not_ready: 'errors.file_not_ready',
  file_deleted: 'errors.file_deleted',
  too_many_files: 'errors.too_many_files',
  model_reads_no_files: 'errors.model_reads_no_files',
  context_too_long: 'errors.context_too_long',
  not_configured: 'errors.not_configured',
  rate_limited: 'errors.rate_limited',
  unauthenticated: 'errors.unauthenticated',
};

/** Refusals whose text says that nothing was charged. */
const SAYS_COST: ReadonlySet<string> = new Set([
  'prompt_too_long',
  'payload_too_large',
  'quote_changed',
  'context_too_long',
  'too_many_running',
  'too_many_streams',
  'too_many_unanswered',
  'computer_busy',
]);

/** Why something did not go out: the alert, and what it cost, null where the alert says so. */
export interface Refusal {
  alert: string;
  note: string | null;
}

/** Why an answer ended without being finished: the alert, and a line on what it cost unless the alert says so. */
export function endText(t: Translate, message: Message): Refusal {
  const notMade = message.error && NOT_MADE[message.error.code];
  if (notMade) return { alert: t(notMade), note: null };
  const isHalf = message.response.trim() !== '';
  if (isHalf && message.finishReason === 'content_filter')
    return { alert: t('chat.cutByFilter'), note: null };
  if (isHalf && message.status === 'failed') return { alert: t('chat.halfAnswer'), note: null };
  const key =
    message.status === 'interrupted' ? 'errors.interrupted' : message.error && ENDED[message.error.code];
  return key ? { alert: t(key), note: null } : { alert: t('chat.sendFailed'), note: t('chat.notCharged') };
}

/** Failures after which the message may be there nevertheless: what is sent again then goes under the same id. */
const DOUBTFUL: ReadonlySet<ApiErrorCode> = new Set(['network', 'unavailable', 'internal']);

/** Whether a message that could not be sent may have arrived. */
export function mayHaveArrived({ code }: ApiError): boolean {
  return DOUBTFUL.has(code);
}

/** Why a message did not go out. */
export function refusalText({ t, i18n }: Translation, error: ApiError): Refusal {
  if (mayHaveArrived(error)) return { alert: t('chat.sendFailed'), note: t('chat.chargedOnce') };
  const key = error.params.isLeftOut ? 'chat.fileLeftOut' : REFUSED[error.code];
  if (!key) return { alert: t('chat.sendFailed'), note: t('chat.notCharged') };
  const { code, params } = error;
  const alert = t(code === 'not_configured' ? errorKey(code, params) : key, readable(params, i18n.language));
  return { alert, note: SAYS_COST.has(error.code) ? null : t('chat.notCharged') };
}

/** The values of a refusal for its reader: the moment from which it is over as the reader's clock shows it. */
function readable(params: ErrorParams, language: Language): ErrorParams {
  if (typeof params.until !== 'string') return params;
  return { ...params, until: formatMoment(language, new Date(params.until)) };
}
