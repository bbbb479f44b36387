import type { Language } from '#contract/choices.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { selectInOrder, selectWay } from '../message-store/branch-store.ts';
import type { ConversationRow } from '../message-store/conversation-store.ts';
import { presentConversation, presentMessage } from '../message-store/present.ts';
import { readLeaf } from '../message-store/read-leaf.ts';
import { selectFollowing } from '../message-store/store.ts';
import { presentMarkdownHead, presentMarkdownTurn } from './present-markdown.ts';
import type { FileLink } from './present-steps.ts';
import { readConversation } from './read-conversation.ts';

/** Messages read at once; each may be some megabytes long. */
const AT_ONCE = 20;
/** More messages than any branch has; their ids alone are kept. */
const MAX_TURNS = 100_000;

export interface ConversationExport {
  conversation: ConversationRow;
  /** The file, piece by piece; the next is read when the one before was taken. */
  pieces: AsyncGenerator<string>;
}

interface ExportQuery {
  format: 'md' | 'json';
  /** Markdown: the message through which the branch runs; null: the newest branch. JSON has all of them. */
  branch: string | null;
  language: Language;
  /** Markdown: where files of the conversation are; the product's own pages where it is not said. */
  linkOf?: FileLink;
}

/** A conversation of the user as a file: as Markdown one branch of it, as JSON the whole tree, oldest first. Throws `not_found`. */
export async function exportConversation(
  deps: Pick<Deps, 'database' | 'clock'>,
  userId: string,
  id: string,
  query: ExportQuery,
): Promise<ConversationExport> {
  const { sql } = deps.database;
  const conversation = await readConversation(deps, userId, id);
  const at = deps.clock.now();
  if (query.format === 'json') {
    return { conversation, pieces: writeJson(sql, userId, conversation, at, query.language) };
  }
  const ids = await readPath(sql, userId, id, query.branch);
  return { conversation, pieces: writeMarkdown(sql, conversation, ids, at, query) };
}

async function readPath(sql: Executor, userId: string, conversationId: string, branch: string | null) {
  const leaf = await readLeaf(sql, userId, conversationId, branch);
  if (leaf === null && branch === null) return [];
  if (leaf === null) throw new AppError('not_found');
  return selectWay(sql, leaf, leaf.depth + 1 - MAX_TURNS, leaf.depth);
}

async function* writeMarkdown(
  sql: Executor,
  conversation: ConversationRow,
  ids: string[],
  at: Date,
  { language, linkOf }: ExportQuery,
): AsyncGenerator<string> {
  yield presentMarkdownHead(conversation, at, language);
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const messages = await selectInOrder(sql, ids.slice(from, from + AT_ONCE));
    yield messages.map((message) => presentMarkdownTurn(message, language, linkOf)).join('');
  }
}

async function* writeJson(
  sql: Executor,
  userId: string,
  conversation: ConversationRow,
  at: Date,
  language: Language,
): AsyncGenerator<string> {
  const head = { exportedAt: at.getTime(), conversation: presentConversation(conversation) };
  yield `${JSON.stringify(head).slice(0, -1)},"messages":[`;
  let after: string | null = null;
  do {
    const page = { userId, conversationId: conversation.id, after, limit: AT_ONCE };
    const messages = await selectFollowing(sql, page);
    const written = messages.map((message) => JSON.stringify(presentMessage(message, language)));
    if (written.length > 0) yield `${after === null ? '' : ','}\n${written.join(',\n')}`;
    after = messages.length < AT_ONCE ? null : (messages.at(-1)?.id ?? null);
  } while (after !== null);
  yield '\n]}\n';
}
