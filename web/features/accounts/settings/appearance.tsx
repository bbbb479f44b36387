import { type ReactNode, useState } from 'react';
import { useLocation } from 'react-router';
import type { Language } from '#contract/choices.ts';
import { callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { pathInLanguage } from '#web/lib/language.ts';
import { FieldError } from '#web/ui/field-error.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { ThemeChoice } from '#web/ui/theme-choice.tsx';

/** The language, which is also that of mails, and the theme of this device. */
export function Appearance() {
  const { t, i18n } = useTranslation('common');
  const location = useLocation();
  const [failed, setFailed] = useState(false);

  const choose = async (language: Language) => {
    setFailed(false);
    try {
      await callApi('/api/me', { method: 'PATCH', body: { language } });
      window.location.assign(pathInLanguage(location, language));
    } catch {
      setFailed(true);
    }
  };

  return (
    <div className="flex max-w-prose flex-col gap-5">
      <div className="flex flex-wrap items-center gap-x-8 gap-y-3">
        <Choice label={t('look.language')}>
          <Segmented
            label={t('look.language')}
            name="profile-language"
            value={i18n.language}
            onChange={(language) => void choose(language)}
            options={[
              { value: 'zh', label: t('look.zh') },
              { value: 'en', label: t('look.en') },
            ]}
          />
        </Choice>
        <Choice label={t('theme.label')}>
          <ThemeChoice name="profile-theme" />
        </Choice>
      </div>
      <p className="text-soft text-sm">{t('look.hint')}</p>
      <FieldError>{failed ? t('profile.notSaved') : null}</FieldError>
    </div>
  );
}

function Choice({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1.5">
      <span aria-hidden className="font-medium text-sm">
        {label}
      </span>
      {children}
    </div>
  );
}
