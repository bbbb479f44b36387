import { useQuery } from '@tanstack/react-query';
import { MAX_PROMPT } from '#contract/limits.ts';
import { catalogueQuery } from './catalogue-query.ts';

/** The longest question that this server takes, in UTF-16 units, once the page has read the catalogue; the usual limit before. */
export function usePromptLimit(): number {
  const { data } = useQuery({ ...catalogueQuery, enabled: false });
  return data?.promptLimit ?? MAX_PROMPT;
}
