import type { Dictionary, TextKey } from '#web/lib/translate.ts';

/** The key of the text of a ledger entry's reason; the server and `i18n/` know the same codes. */
export function reasonKey(reason: string): TextKey {
  return `ledger.reason.${reason as keyof Dictionary['ledger']['reason']}`;
}
