import { Navigate, useLocation, useParams } from 'react-router';
import { DEFAULT_LANGUAGE, isLanguage } from '#web/lib/language.ts';
import { SiteFrame } from './layout/site-frame.tsx';

/** Everything under `/:lang`; a language that is not ours becomes the default one. */
export default function LanguageLayout() {
  const { lang } = useParams();
  const { pathname, search, hash } = useLocation();
  if (!isLanguage(lang)) {
    const rest = pathname.replace(/^\/[^/]*/, '');
    return <Navigate to={{ pathname: `/${DEFAULT_LANGUAGE}${rest}`, search, hash }} replace />;
  }
  return <SiteFrame />;
}
