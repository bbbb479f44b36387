import { useQuery } from '@tanstack/react-query';
import { MAX_PROMPT } from '#contract/limits.ts';
import { catalogueQuery } from './catalogue-query.ts';

/**
 * The longest question that this server takes, in UTF-16 units; infinity until the page has read the catalogue, so that nothing is
 * refused by a guess.
 */
export function usePromptLimit(): number {
  const { data } = useQuery({ ...catalogueQuery, enabled: false });
  return data ? (data.promptLimit ?? MAX_PROMPT) : Number.POSITIVE_INFINITY;
}
