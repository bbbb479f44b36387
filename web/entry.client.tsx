import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { detectLanguage, rememberLanguage } from '#web/lib/detect-language.ts';
import { loadDictionary } from '#web/lib/dictionary.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { languageTag } from '#web/lib/language.ts';

const language = detectLanguage();
rememberLanguage(language);

const dictionary = await loadDictionary(language);
const app = (
  <StrictMode>
    <TranslationProvider language={language} dictionary={dictionary}>
      <HydratedRouter />
    </TranslationProvider>
  </StrictMode>
);

startTransition(() => {
  if (document.documentElement.lang === languageTag(language)) hydrateRoot(document, app);
  else createRoot(document).render(app);
});
