import { Navigate, Outlet, useLocation, useParams } from 'react-router';
import { DEFAULT_LANGUAGE, isLanguage } from '#web/lib/language.ts';
import { useSessionLive } from './layout/use-session-live.ts';

/** Everything under `/:lang`; a language that is not ours becomes the default one. */
export default function LanguageLayout() {
  const { lang } = useParams();
  const { pathname, search, hash } = useLocation();
  useSessionLive();
  if (!isLanguage(lang)) {
    const rest = pathname.replace(/^\/[^/]*/, '');
    return <Navigate to={{ pathname: `/${DEFAULT_LANGUAGE}${rest}`, search, hash }} replace />;
  }
  return <Outlet />;
}
