import { brand } from 'virtual:site';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Links, Outlet, Scripts, ScrollRestoration, useLocation, useRouteError } from 'react-router';
import { BEFORE_PAINT } from '#web/lib/before-paint.ts';
import { dictionaryUrl } from '#web/lib/dictionary.ts';
import { languageTag } from '#web/lib/language.ts';
import { siteOrigin } from '#web/lib/origin.ts';
import { isPlainPage } from '#web/lib/pages.ts';
import { useLanguage } from '#web/lib/use-language.ts';
import { ToastRegion } from '#web/ui/toast-region.tsx';
import { CrashPage } from './crash-page.tsx';
import { facesOf } from './faces.ts';

/** A browser without a network may still reach the product, or what it keeps of it: queries never wait for the network. */
const REACHING = {
  defaultOptions: { queries: { networkMode: 'always', refetchOnReconnect: true } },
} as const;

/** It has run before this code is here. */
const HEAD_SCRIPT = import.meta.env.SSR ? BEFORE_PAINT : '';

/** The document around every page. */
export function Layout({ children }: { children: ReactNode }) {
  const language = useLanguage();
  const isPlain = isPlainPage(useLocation().pathname);
  return (
    <html lang={languageTag(language)} data-origin={siteOrigin} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, interactive-widget=resizes-content"
        />
        <meta name="color-scheme" content="light dark" />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant, allowed by its hash. */}
        <script dangerouslySetInnerHTML={{ __html: HEAD_SCRIPT }} suppressHydrationWarning />
        <Links />
        {facesOf(isPlain ? null : language).map((face) => (
          <link key={face} rel="preload" as="font" type="font/woff2" href={face} crossOrigin="anonymous" />
        ))}
        {isPlain ? null : (
          <link rel="preload" as="fetch" href={dictionaryUrl(language)} crossOrigin="anonymous" />
        )}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

/** Shown by the one built file that serves paths without a file of their own, until the page's code is there. */
export function HydrateFallback() {
  return <title>{`${brand.nameZh} ${brand.name}`}</title>;
}

export function ErrorBoundary() {
  return <CrashPage error={useRouteError()} />;
}

export default function Root() {
  const [queryClient] = useState(() => new QueryClient(REACHING));
  return (
    <QueryClientProvider client={queryClient}>
      <Outlet />
      <ToastRegion />
    </QueryClientProvider>
  );
}
