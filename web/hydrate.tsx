import { type ReactNode, StrictMode, startTransition, useLayoutEffect } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { detectLanguage, rememberLanguage } from '#web/lib/detect-language.ts';
import { loadDictionary } from '#web/lib/dictionary.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { languageTag } from '#web/lib/language.ts';

/** A document drawn anew loses what the head's script wrote on its root element. */
function KeepRootData({ data, children }: { data: DOMStringMap; children: ReactNode }) {
  useLayoutEffect(() => {
    Object.assign(document.documentElement.dataset, data);
  }, [data]);
  return children;
}

/** Brings the built page to life, once its texts are here. */
export async function hydrate(): Promise<void> {
  const root = document.documentElement;
  const language = detectLanguage();
  // The language of the page that is shown without a network was chosen by nobody.
  if (!/^\/(zh|en)\/offline\/?$/.test(location.pathname)) rememberLanguage(language);
  const dictionary = await loadDictionary(language);
  delete root.dataset.language;
  const app = (
    <StrictMode>
      <KeepRootData data={{ ...root.dataset }}>
        <TranslationProvider language={language} dictionary={dictionary}>
          {/* At once: as a transition, the way to another page waits as long as an answer is written on a busy device. */}
          <HydratedRouter useTransitions={false} />
        </TranslationProvider>
      </KeepRootData>
    </StrictMode>
  );
  startTransition(() => {
    if (root.lang === languageTag(language)) hydrateRoot(document, app);
    else createRoot(document).render(app);
  });
}
