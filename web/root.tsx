import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Outlet, Scripts, ScrollRestoration } from 'react-router';
import { languageTag } from '#web/lib/language.ts';
import { useLanguage } from '#web/lib/use-language.ts';
import './app.css';

/** The document around every page. */
export function Layout({ children }: { children: ReactNode }) {
  const language = useLanguage();
  return (
    <html lang={languageTag(language)}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export function HydrateFallback() {
  return null;
}

export default function Root() {
  const [queryClient] = useState(() => new QueryClient());
  return (
    <QueryClientProvider client={queryClient}>
      <Outlet />
    </QueryClientProvider>
  );
}
