import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import { returnPath } from '#contract/return-path.ts';
import { languageOfPath } from '#web/lib/language.ts';
import { useLanguage, useLocalPath } from '#web/lib/use-language.ts';
import { sessionQuery } from '../session/use-session.ts';

/** Gives the act of going on after signing in: reads the session, then leads to where the reader came from, or to the chat. */
export function useAfterSignIn(): () => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const language = useLanguage();
  const pathTo = useLocalPath();
  return async () => {
    const target = returnPath(search.get('next'), pathTo('chat'));
    await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    const itsLanguage = languageOfPath(target);
    if (itsLanguage && itsLanguage !== language) window.location.assign(target);
    else await navigate(target, { replace: true });
  };
}
