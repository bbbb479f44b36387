import type { ErrorParams } from '#contract/errors.ts';
import { readTier } from '#server/billing/state/read-subscription.ts';
import { fileTokensOf, type ReadableFile } from '#server/catalogue/file-rules.ts';
import { listPaused } from '#server/catalogue/pause-model.ts';
import { markPaused, readCatalogue } from '#server/catalogue/read-catalogue.ts';
import type { UpstreamChains } from '#server/catalogue/upstream-chains.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { listReadyFiles, type TurnFile } from '#server/files/message-files/list-ready-files.ts';
import { readReadyFile } from '#server/files/state/read-own-file.ts';
import { type NamedFile, selectNamedFiles } from './attachment-store.ts';
import { countText } from './count-text.ts';

/** A file that is read in a turn, and what that takes, as it is charged. */
export interface PricedFile {
  file: TurnFile;
  tokens: number;
  /** Named by the message itself; else by one above it, to be read in every turn. */
  isOwn: boolean;
}

export interface TurnPlace {
  model: string;
  /** Undefined: any. */
  conversationId?: string | undefined;
  /** The message above; null or undefined where there is none. */
  parentId?: string | null | undefined;
  /** Ids of files that the message names. */
  files?: readonly string[] | undefined;
}

type TurnDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'storages' | 'models'>;

/** Files that a turn may read, its own and those of earlier messages: each brings words of ours that are not paid for. */
const MAX_READ = 100;

/** Pictures made by models that a turn reads again, and their bytes together; those before are given in words. */
const MAX_MADE = 4;
const MAX_MADE_BYTES = 25_000_000;

/**
 * The files that a message makes its model read, each with the tokens that are charged: those of the messages above that are read in
 * every turn, then its own. Throws `too_many_files`, `file_deleted` also for a file of another conversation, `file_not_ready`, what
 * was wrong with a file, and `model_reads_no_files` naming a model that does.
 */
export async function quoteTurnFiles(
  deps: TurnDeps,
  userId: string,
  place: TurnPlace,
): Promise<PricedFile[]> {
  const { config, database } = deps;
  const own = new Set((place.files ?? []).map((id) => id.toLowerCase()));
  const limit = config.files.perMessage;
  if (own.size > limit) throw new AppError('too_many_files', { limit });
  const named = place.parentId ? await selectNamedFiles(database.sql, userId, place.parentId) : [];
  const earlier = named.filter(({ id }) => !own.has(id));
  const files = await listReadyFiles(deps, userId, [...earlier.map(({ id }) => id), ...own]);
  for (const id of own) await checkOwn(deps, userId, id, files.get(id), place);
  const again = earlier.filter(({ id }) => files.get(id)?.everyTurn);
  const made = newestMade(again, files);
  const read = [
    ...again.filter(({ id, isMade }) => !isMade || made.has(id)).map((one) => ({ ...one, isOwn: false })),
    ...[...own].map((id) => ({ id, isOwn: true, isMade: false })),
  ];
  if (read.length > MAX_READ) throw new AppError('too_many_files', { limit: MAX_READ });
  const priced: PricedFile[] = [];
  for (const { id, isOwn, isMade } of read) {
    const file = files.get(id);
    if (!file) continue;
    const tokens = await tokensOf(userId, file, place.model, config.upstream.chains);
    // A picture that a model made is given in words to one that sees none.
    if (tokens === null && isMade) continue;
    if (tokens === null) throw await refuseModel(deps, userId, { ...file, textTokens: null });
    priced.push({ file, tokens, isOwn });
  }
  return priced;
}

/** The newest of the pictures that models made, as many as go into one request: they cannot be given by a copy at the provider. */
function newestMade(named: readonly NamedFile[], files: ReadonlyMap<string, TurnFile>): Set<string> {
  const made = named.filter(({ isMade }) => isMade).slice(-MAX_MADE);
  const newest = new Set<string>();
  let bytes = 0;
  for (const { id } of made.toReversed()) {
    bytes += files.get(id)?.bytes ?? 0;
    if (newest.size > 0 && bytes > MAX_MADE_BYTES) break;
    newest.add(id);
  }
  return newest;
}

async function checkOwn(
  deps: TurnDeps,
  userId: string,
  id: string,
  file: TurnFile | undefined,
  { conversationId }: TurnPlace,
): Promise<void> {
  const isElsewhere =
    file?.conversationId && conversationId && file.conversationId !== conversationId.toLowerCase();
  if (isElsewhere) throw new AppError('file_deleted', { name: file.name, fileId: id });
  if (file) return;
  const found = await readReadyFile(deps, userId, id).catch((error) => {
    const isGone = error instanceof AppError && error.code === 'not_found';
    throw isGone ? new AppError('file_deleted', { name: '', fileId: id }) : error;
  });
  // It was read a moment ago.
  throw new AppError('file_not_ready', { name: found.name });
}

/** What a model reads of a file; null where it cannot. The text of a PDF is counted for models that do not read its pages. */
async function tokensOf(
  userId: string,
  file: TurnFile,
  model: string,
  chains: UpstreamChains,
): Promise<number | null> {
  const { type, pages } = file;
  if (!type.startsWith('image/') && type !== 'application/pdf') return file.tokens;
  const asText = { type, pages, textTokens: null };
  const seen = fileTokensOf(asText, model, chains);
  if (seen !== null || !file.hasText) return seen;
  return fileTokensOf({ ...asText, textTokens: await countText(userId, file) }, model, chains);
}

/** Refuses a model for a file, and names one that the user may use and that reads it. */
export async function refuseModel(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'models'>,
  userId: string,
  file: ReadableFile,
  params: ErrorParams = {},
): Promise<AppError> {
  const { brand, upstream } = deps.config;
  const tier = await readTier(deps, userId);
  const seen = { tier, brand, chains: upstream.chains, at: deps.clock.now() };
  const all = readCatalogue(deps.models.all(), seen);
  const { models } = markPaused(all, await listPaused(deps));
  const able = models.find(
    (one) =>
      one.allowed &&
      one.cost !== null &&
      !one.paused &&
      one.missingSetting === null &&
      fileTokensOf(file, one.id, upstream.chains) !== null,
  );
  return new AppError('model_reads_no_files', {
    ...params,
    model: able?.id ?? '—',
  });
}
