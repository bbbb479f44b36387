import { expect, test } from 'vitest';
import type { Message } from '#contract/chat.ts';
import { ApiError } from '#web/lib/api.ts';
import type { Translation } from '#web/lib/i18n.tsx';
import { endText, mayHaveArrived, refusalText } from './failure-text.ts';

const KEYS = { t: (key: string) => key, i18n: { language: 'en' } } as unknown as Translation;

test.each([
  ['network', true],
  ['unavailable', true],
  ['internal', true],
  ['not_configured', false],
  ['model_paused', false],
  ['quote_changed', false],
  ['rate_limited', false],
  ['context_too_long', false],
] as const)(
  'of a message that was refused as %s it is said truly whether it may have arrived',
  (code, may) => {
    const error = new ApiError(code);
    expect(mayHaveArrived(error)).toBe(may);
    const { note } = refusalText(KEYS, error);
    if (may) expect(note).toBe('chat.chargedOnce');
    else expect(note).not.toBe('chat.chargedOnce');
  },
);

test.each(['picture_blocked', 'picture_not_made'] as const)(
  'of a picture that was not made it is said why, whatever was written instead of it: %s',
  (code) => {
    const failed = { status: 'failed', response: 'I cannot.', error: { code, message: '' } } as Message;
    expect(endText(KEYS.t, failed)).toEqual({ alert: `errors.${code}`, note: null });
  },
);
