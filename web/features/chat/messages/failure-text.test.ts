import { expect, test } from 'vitest';
import { ApiError } from '#web/lib/api.ts';
import type { Translation } from '#web/lib/i18n.tsx';
import { mayHaveArrived, refusalText } from './failure-text.ts';

const KEYS = { t: (key: string) => key, i18n: { language: 'en' } } as unknown as Translation;

test.each([
  ['network', true],
  ['unavailable', true],
  ['internal', true],
  ['not_configured', false],
  ['quote_changed', false],
  ['rate_limited', false],
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
