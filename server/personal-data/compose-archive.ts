import { brandName } from '#contract/brand.ts';
import type { Language } from '#contract/choices.ts';
import { listKeys } from '#server/accounts/api-keys/list-keys.ts';
import { listSessions } from '#server/accounts/sessions/list-sessions.ts';
import { exportReceipts } from '#server/billing/orders/export-receipts.ts';
import { listAllConversations } from '#server/chat/conversations/list-all-conversations.ts';
import { fileNameOf } from '#server/chat/conversations/present-markdown.ts';
import { exportEntries } from '#server/credits/export-entries.ts';
import { listEntries } from '#server/credits/list-entries.ts';
import type { Deps } from '#server/deps.ts';
import { exportContent } from '#server/files/state/export-content.ts';
import { listAllFiles } from '#server/files/turns/list-files.ts';
import { translate } from '#server/platform/translate.ts';
import { exportLeftConversation } from './export-left-conversation.ts';
import { findPicture } from './export-store.ts';
import { listApiAnswers } from './list-api-answers.ts';
import { readProfile } from './read-profile.ts';

/** One file of an archive; it is read when its turn has come. */
export interface ArchiveFile {
  name: string;
  pieces: AsyncIterable<string | Uint8Array>;
}

type ArchiveDeps = Pick<Deps, 'database' | 'clock' | 'config' | 'providers' | 'storages'>;

const ENTRIES_AT_ONCE = 500;

/** Everything that is kept of a user, as files: without secrets that sign in, and without data of other users. */
export async function* composeArchive(
  deps: ArchiveDeps,
  userId: string,
  language: Language,
): AsyncGenerator<ArchiveFile> {
  const { sql } = deps.database;
  const brand = brandName(deps.config.brand, language);
  yield { name: 'README.txt', pieces: one(() => `${translate(language, 'takeout.readme', { brand })}\n`) };
  yield { name: 'profile.json', pieces: json(() => readProfile(deps, userId)) };
  yield { name: 'sessions.json', pieces: json(() => listSessions(deps, { userId, sessionId: '' })) };
  yield { name: 'credits.csv', pieces: exportEntries(deps, userId, language) };
  yield { name: 'credits.json', pieces: array(entriesOf(deps, userId)) };
  yield { name: 'orders.json', pieces: json(() => exportReceipts(deps, userId)) };
  yield { name: 'api-keys.json', pieces: json(() => listKeys(deps, userId)) };
  yield { name: 'api-answers.json', pieces: array(listApiAnswers(deps, userId)) };
  const picture = await findPicture(sql, userId);
  if (picture) yield { name: 'picture.webp', pieces: one(() => picture) };
  yield { name: 'files.json', pieces: array(filesOf(deps, userId)) };
  for await (const file of listAllFiles(deps, userId))
    yield { name: pathOf(file), pieces: exportContent(deps, file) };
  for await (const { id, title, createdAt } of listAllConversations(deps, userId)) {
    const day = createdAt.toISOString().slice(0, 10);
    for (const format of ['md', 'json'] as const) {
      const name = fileNameOf(`${day} ${title} ${id.slice(-8)}`, format);
      yield {
        name: `conversations/${name}`,
        pieces: exportLeftConversation(deps, userId, id, { format, language }),
      };
    }
  }
}

type ListedFile = { id: string; name: string; createdAt: Date };

/** Where a file is in the archive; two of one name are two files. */
function pathOf({ id, name, createdAt }: ListedFile): string {
  return `files/${createdAt.toISOString().slice(0, 10)} ${id.slice(-8)} ${name}`;
}

async function* filesOf(deps: ArchiveDeps, userId: string): AsyncGenerator<unknown> {
  for await (const file of listAllFiles(deps, userId)) {
    const { id, name, conversationId, type, bytes, sha256, createdAt } = file;
    yield { id, name, path: pathOf(file), conversationId, type, bytes, sha256, createdAt: createdAt.getTime() };
  }
}

async function* one(make: () => string | Uint8Array): AsyncGenerator<string | Uint8Array> {
  yield make();
}

async function* json(read: () => Promise<unknown>): AsyncGenerator<string> {
  yield `${JSON.stringify(await read(), null, 2)}\n`;
}

async function* array(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const item of items) {
    yield before + JSON.stringify(item);
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

async function* entriesOf(deps: ArchiveDeps, userId: string): AsyncGenerator<unknown> {
  let cursor: string | null = null;
  do {
    const page = await listEntries(deps, userId, { cursor, limit: ENTRIES_AT_ONCE });
    yield* page.entries;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
