import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { useLocalPath } from '#web/lib/use-language.ts';
import { signOut } from './sign-out.ts';

/** Gives the act of signing out; afterwards the reader is at home. */
export function useSignOut(): () => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const pathTo = useLocalPath();
  return async () => {
    if (await signOut(queryClient)) await navigate(pathTo(''));
  };
}
