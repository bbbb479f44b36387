import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, ScrollRestoration, useLocation, useRouteError } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import type { Operator } from '#contract/admin/screens.ts';
import type { Language } from '#contract/choices.ts';
import { CrashPage } from '#web/crash-page.tsx';
import { useConfirmation } from '#web/features/accounts/confirmation/use-confirmation.tsx';
import { ConsoleFrame } from '#web/features/admin/shell/console-frame.tsx';
import { SCREEN_ROUTES } from '#web/features/admin/shell/screen-routes.tsx';
import { ApiError } from '#web/lib/api.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import type { AdminDictionary } from '#web/lib/translate.ts';
import { ToastRegion } from '#web/ui/toast-region.tsx';

interface ConsoleParts {
  operator: Operator;
  language: Language;
  dictionary: AdminDictionary;
}

const RETRIES = 2;

/** What was refused is refused again. */
const QUERIES = {
  defaultOptions: {
    queries: {
      retry: (failures: number, error: Error) =>
        failures < RETRIES && !(error instanceof ApiError && error.status !== null && error.status < 500),
    },
  },
};

/** Draws the console for an operator. */
export function openConsole({ operator, language, dictionary }: ConsoleParts): void {
  const router = createBrowserRouter([
    {
      path: '/admin',
      element: <Console operator={operator} />,
      errorElement: <Crash />,
      children: SCREEN_ROUTES,
    },
    { path: '*', element: <OtherPage /> },
  ]);
  const root = document.createElement('div');
  document.body.append(root);
  createRoot(root).render(
    <StrictMode>
      <TranslationProvider language={language} dictionary={dictionary}>
        <QueryClientProvider client={new QueryClient(QUERIES)}>
          <RouterProvider router={router} />
          <ToastRegion />
        </QueryClientProvider>
      </TranslationProvider>
    </StrictMode>,
  );
}

function Console({ operator }: { operator: Operator }) {
  const { confirmed, dialog } = useConfirmation();
  return (
    <>
      <ConsoleFrame operator={operator} confirmed={confirmed} />
      {dialog}
      <ScrollRestoration />
    </>
  );
}

function Crash() {
  return <CrashPage error={useRouteError()} />;
}

/** What is not of the console is a page of the product, with a document of its own. */
function OtherPage() {
  const { pathname, search, hash } = useLocation();
  window.location.replace(pathname + search + hash);
  return null;
}
