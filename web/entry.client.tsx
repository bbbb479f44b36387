import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { HydratedRouter } from 'react-router/dom';
import { detectLanguage, rememberLanguage } from '#web/lib/detect-language.ts';
import { loadDictionary } from '#web/lib/dictionary.ts';
import { createI18n } from '#web/lib/i18n.ts';
import { languageTag } from '#web/lib/language.ts';

const language = detectLanguage(window.location.pathname);
rememberLanguage(language);

const i18n = createI18n(language, await loadDictionary(language));
const app = (
  <StrictMode>
    <I18nextProvider i18n={i18n}>
      <HydratedRouter />
    </I18nextProvider>
  </StrictMode>
);

startTransition(() => {
  if (document.documentElement.lang === languageTag(language)) hydrateRoot(document, app);
  else createRoot(document).render(app);
});
