import { brand } from 'virtual:site';
import type { ReactNode } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { RichText } from '#web/ui/text/rich-text.tsx';

/** Leads to the support address. */
export function linkToEmail(address: string): ReactNode {
  return (
    <a href={`mailto:${brand.supportEmail}`} className="text-ink underline underline-offset-4">
      {address}
    </a>
  );
}

/** A text in which `<email>…</email>` leads to the support address. */
export function EmailText({ text }: { text: TextKey }) {
  const { t } = useTranslation('common');
  return <RichText text={t(text, { email: brand.supportEmail })} parts={{ email: linkToEmail }} />;
}
