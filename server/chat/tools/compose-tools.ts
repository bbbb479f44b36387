import type { BaseDeps } from '#server/base-deps.ts';
import { payablePages } from '#server/catalogue/context-rules.ts';
import { toolsOf } from '#server/catalogue/rules.ts';
import { takeRateLimit } from '#server/platform/database/rate-limit.ts';
import type { MessageRow } from '../message-store/store.ts';
import type { GenerateRequest } from '../upstream/transport/upstream.ts';
import { urlsIn } from './url-rules.ts';

/** A model cannot be made to search, only asked to: whether it did, its sources show. */
export const SEARCH_FIRST =
  'Search the web before you answer, even where you believe that you know the answer already.';
const NOT_OPENED =
  'The web addresses in the question were not opened, because they are too many. Say so if the answer depends on them.';

/** Questions of one user whose addresses are opened in a day: what is behind them may be long, and opening it is free. */
const OPENED_PER_DAY = { max: 100, windowSeconds: 86_400 };

type ToolDeps = Pick<BaseDeps, 'config' | 'database' | 'clock'>;
type Tools = Pick<GenerateRequest, 'system' | 'tools' | 'effort'>;

/** What the model may do for a message besides writing, and how many pages it is made to read. */
export async function composeTools(
  deps: ToolDeps,
  message: Pick<MessageRow, 'userId' | 'model' | 'content' | 'input'>,
  contextTokens: number,
): Promise<{ shared: Tools; pages: number }> {
  const { search = 'off', code = false, effort } = message.input?.options ?? {};
  const { wanted, pages } = await countPages(deps, message, contextTokens);
  const says = [...(search === 'always' ? [SEARCH_FIRST] : []), ...(wanted > pages ? [NOT_OPENED] : [])];
  const tools = {
    ...(search === 'off' ? {} : { search: true }),
    ...(pages > 0 ? { addresses: true } : {}),
    ...(code ? { code: true } : {}),
  };
  const shared = {
    system: says.length > 0 ? says.join(' ') : null,
    ...(Object.keys(tools).length > 0 ? { tools } : {}),
    ...(effort ? { effort } : {}),
  };
  return { shared, pages };
}

/** How many addresses the question has that the model could open, and how many of them it does: all or none. */
async function countPages(
  { config, database, clock }: ToolDeps,
  { userId, model, content }: Pick<MessageRow, 'userId' | 'model' | 'content'>,
  contextTokens: number,
): Promise<{ wanted: number; pages: number }> {
  const wanted = toolsOf(model, config.upstream.chains).addresses ? urlsIn(content).length : 0;
  if (wanted === 0 || wanted > payablePages(contextTokens)) return { wanted, pages: 0 };
  const wait = await takeRateLimit(database.sql, `addresses:${userId}`, OPENED_PER_DAY, clock.databaseTime());
  return { wanted, pages: wait > 0 ? 0 : wanted };
}
