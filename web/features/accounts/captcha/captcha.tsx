import { useEffect, useRef } from 'react';
import { LANGUAGE_TAG } from '#contract/choices.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useDark } from '#web/lib/theme.ts';
import { useLanguage } from '#web/lib/use-language.ts';
import { loadCaptcha, readChallenge } from './load-captcha.ts';

export interface CaptchaProps {
  /** What the server's refusal says of the question. */
  params: Readonly<Record<string, unknown>>;
  onProof: (proof: string) => void;
  onFault: () => void;
}

/** Asks whether a person is there. */
export function Captcha({ params, onProof, onFault }: CaptchaProps) {
  const { t } = useTranslation('common');
  const language = LANGUAGE_TAG[useLanguage()];
  const theme = useDark() ? 'dark' : 'light';
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const target = document.createElement('div');
    place.current?.append(target);
    place.current?.scrollIntoView({ block: 'nearest' });
    const challenge = readChallenge(params);
    if (!challenge) return onFault();
    const ask = async () => {
      const api = await loadCaptcha(challenge);
      if (!target.isConnected) return;
      api.render(target, {
        sitekey: challenge.siteKey,
        callback: onProof,
        'error-callback': onFault,
        theme,
        language,
        hl: language,
      });
    };
    ask().catch(onFault);
    return () => target.remove();
  }, [params, onProof, onFault, theme, language]);
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="text-sm">
        {t('errors.captcha_required')}
      </p>
      <div ref={place} className="min-h-20" />
    </div>
  );
}
