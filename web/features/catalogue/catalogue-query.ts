import { queryOptions } from '@tanstack/react-query';
import type { Catalogue } from '#contract/catalogue.ts';
import { CATALOGUE_COPY } from '#web/features/offline/copy-names.ts';
import { orCopy } from '#web/features/offline/or-copy.ts';
import { callApi } from '#web/lib/api.ts';

/** Models and plans, with what the caller may use; read again when the plan changes. */
export const catalogueQuery = queryOptions({
  queryKey: ['catalogue'],
  queryFn: (context) =>
    orCopy(CATALOGUE_COPY, context, () => callApi<Catalogue>('/api/catalogue', { signal: context.signal })),
  staleTime: 5 * 60_000,
});
