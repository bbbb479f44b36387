import { useTranslation } from '#web/lib/i18n.tsx';
import type { AdminTextKey } from '#web/lib/translate.ts';

/** The kinds of codes that have words. */
type Words = AdminTextKey extends infer Key
  ? Key extends `admin.word.${infer Kind}.${string}`
    ? Kind
    : never
  : never;

/** Gives the word for a code of the server; a code without one stands for itself. */
export function useWords(): (kind: Words, code: string) => string {
  const { t } = useTranslation('admin');
  return (kind, code) => {
    const key = `admin.word.${kind}.${code}`;
    const text = t(key as AdminTextKey);
    return text === key ? code : text;
  };
}
