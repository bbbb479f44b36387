import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';

const SAID_MS = 2000;

/** A block of code with its language and a button that copies it. */
export function CodeBlock({ language, code }: { language: string; code: string }) {
  const { t } = useTranslation('common');
  return (
    <figure className="code-block" dir="ltr">
      <figcaption>
        <span>{language === '' ? t('chat.code') : language}</span>
        <CopyButton text={code} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard too. */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </figure>
  );
}

function CopyButton({ text }: { text: string }) {
  const { t } = useTranslation('common');
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const Icon = copied ? Check : Copy;
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <button type="button" onClick={copy}>
      <Icon aria-hidden size={14} strokeWidth={1.5} />
      <span aria-live="polite">{copied ? t('chat.copied') : t('chat.copy')}</span>
    </button>
  );
}
