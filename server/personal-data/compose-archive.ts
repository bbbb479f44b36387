import { brandName } from '#contract/brand.ts';
import type { Language } from '#contract/choices.ts';
import { listAllKeys } from '#server/accounts/api-keys/list-keys.ts';
import { listDevices } from '#server/accounts/devices/list-devices.ts';
import { listSessions } from '#server/accounts/sessions/list-sessions.ts';
import { exportReceipts } from '#server/billing/orders/export-receipts.ts';
import { listChargedMessages } from '#server/chat/conversations/list-charged-messages.ts';
import { exportEntries, listAllEntries } from '#server/credits/export-entries.ts';
import type { Deps } from '#server/deps.ts';
import { translate } from '#server/platform/translate.ts';
import { composeConversations } from './compose-conversations.ts';
import { type ArchiveFile, composeUploads, listUploads } from './compose-uploads.ts';
import { listApiAnswers } from './list-api-answers.ts';
import { readProfile } from './read-profile.ts';

type ArchiveDeps = Pick<Deps, 'database' | 'clock' | 'config' | 'providers' | 'storages'>;

/** Everything that is kept of a user, as files: without secrets that sign in, and without data of other users. */
export async function* composeArchive(
  deps: ArchiveDeps,
  userId: string,
  language: Language,
): AsyncGenerator<ArchiveFile> {
  const brand = brandName(deps.config.brand, language);
  yield { name: 'README.txt', pieces: one(() => `${translate(language, 'takeout.readme', { brand })}\n`) };
  yield { name: 'profile.json', pieces: json(() => readProfile(deps, userId)) };
  yield { name: 'sessions.json', pieces: json(() => listSessions(deps, { userId, sessionId: '' })) };
  yield { name: 'devices.json', pieces: json(() => listDevices(deps, userId)) };
  yield {
    name: 'credits.csv',
    pieces: exportEntries(deps, { listMessages: listChargedMessages(deps) }, userId, language),
  };
  yield { name: 'credits.json', pieces: array(listAllEntries(deps, userId)) };
  yield { name: 'orders.json', pieces: json(() => exportReceipts(deps, userId)) };
  yield { name: 'api-keys.json', pieces: json(() => listAllKeys(deps, userId)) };
  yield { name: 'api-answers.json', pieces: array(listApiAnswers(deps, userId)) };
  yield { name: 'files.json', pieces: array(listUploads(deps, userId)) };
  yield* composeUploads(deps, userId);
  yield* composeConversations(deps, userId, language);
}

async function* one(make: () => string): AsyncGenerator<string> {
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
