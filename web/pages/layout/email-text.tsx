import { brand } from 'virtual:site';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { RichText } from '#web/ui/text/rich-text.tsx';

/** A text in which `<email>…</email>` leads to the support address. */
export function EmailText({ text }: { text: TextKey }) {
  const { t } = useTranslation('common');
  const toEmail = (address: string) => (
    <a href={`mailto:${brand.supportEmail}`} className="text-ink underline underline-offset-4">
      {address}
    </a>
  );
  return <RichText text={t(text, { email: brand.supportEmail })} parts={{ email: toEmail }} />;
}
