import type { NoticeCode } from '#contract/chat.ts';
import type { BaseDeps } from '#server/base-deps.ts';
import { makesPictures } from '#server/catalogue/models.ts';
import type { ProviderUse } from '#server/catalogue/provider-cost-rules.ts';
import { findModel } from '#server/catalogue/rules.ts';
import { AppError } from '#server/errors.ts';
import { ByteBudget, OwnerBudgets, takeBoth } from '#server/platform/byte-budget.ts';
import type { MessageRow } from '../message-store/store.ts';
import type { AnswerMetadata, GenerateRequest, UpstreamPart } from '../upstream/transport/upstream.ts';
import { UpstreamError } from '../upstream/transport/upstream-error.ts';
import { AnswerPictures } from './answer-pictures.ts';
import { closeRun } from './close-run.ts';
import { composeRequest } from './compose-request.ts';
import { decideEnding, type EndCause } from './ending-rules.ts';
import type { DrivenAnswer, Run } from './run.ts';

type AnswerDeps = Pick<
  BaseDeps,
  | 'config'
  | 'database'
  | 'models'
  | 'storages'
  | 'bus'
  | 'clock'
  | 'log'
  | 'metrics'
  | 'instanceId'
  | 'upstream'
  | 'computer'
>;

/**
 * Has a message answered and ends it, whatever happens. Never rejects for a fault of the upstream or a stop. Returns the message
 * as it ended; null when this call did not end it.
 */
export async function answerMessage(deps: AnswerDeps, run: Run): Promise<MessageRow | null> {
  let cause: EndCause;
  let metadata: AnswerMetadata | null;
  try {
    const answer = await ask(deps, run);
    metadata = answer.metadata;
    cause = answer.isAbandoned || run.cut === 'stopped' ? 'stopped' : 'finished';
  } catch (error) {
    if (run.cut === 'interrupted' || run.cut === 'lost') return null;
    metadata = error instanceof UpstreamError ? error.metadata : null;
    cause = causeOf(deps, run, error);
  }
  run.isClosing = true;
  run.flush(true);
  if (run.firstTextMs !== null)
    deps.metrics.firstText.observe({ model: run.message.model }, run.firstTextMs / 1000);
  const ending = decideEnding(cause, run.parts, {
    isPicture: makesPictures(run.message.model),
    isDriving: isDriving(run),
  });
  return closeRun(deps, run, ending, metadata);
}

/** Whether the message drives a browser. */
function isDriving({ message }: Run): boolean {
  return message.input?.computer !== undefined;
}

/**
 * Bytes of pictures under way in this process, as they are while they are read, half of them for one user at most, and what a picture
 * takes, by its size.
 */
const memory = new ByteBudget(268_435_456);
const memoryOfUsers = new OwnerBudgets(134_217_728);
const PICTURE_MEMORY = { '1K': 16_777_216, '2K': 50_331_648, '4K': 134_217_728 } as const;
/** How long an answer waits for those of other users; one of `/v1`, which holds what it was asked with, also for those of its own user. */
const MEMORY_TIMEOUT_MS = 120_000;

async function ask(deps: AnswerDeps, run: Run): Promise<DrivenAnswer> {
  const { request, isTrimmed } = await composeRequest(deps, run);
  if (isTrimmed) {
    run.contextTrimmed = true;
    run.notice('context_trimmed');
  }
  run.signal.throwIfAborted();
  if (isDriving(run)) {
    run.isAsked = true;
    return deps.computer.drive(run, request);
  }
  if (!run.request && findModel(run.message.model)?.computerUse) run.notice('computer_words');
  return { metadata: await askModel(deps, run, request), isAbandoned: false };
}

async function askModel(deps: AnswerDeps, run: Run, request: GenerateRequest): Promise<AnswerMetadata> {
  const release = await takeMemory(run, request);
  const pictures = new AnswerPictures(deps, run);
  try {
    run.signal.throwIfAborted();
    run.isAsked = true;
    const handlers = {
      onText: (text: string) => pictures.after(() => run.add('text', text)),
      onReasoning: (text: string) => pictures.after(() => run.add('reasoning', text)),
      onPart: (part: UpstreamPart) =>
        part.kind === 'picture' ? pictures.add(part) : pictures.after(() => addPart(run, part)),
      onNotice: (code: NoticeCode) => pictures.after(() => run.notice(code)),
      onUse: (use: ProviderUse) => run.uses.push(use),
    };
    const metadata = await deps.upstream.stream(run.message.model, request, handlers, run.signal);
    await pictures.settle();
    return pictures.nameIn(metadata);
  } finally {
    await pictures.settle();
    release();
  }
}

async function takeMemory(
  { message, request, signal }: Run,
  { picture }: GenerateRequest,
): Promise<() => void> {
  if (!picture) return () => {};
  const bytes = PICTURE_MEMORY[picture.size ?? '1K'];
  const takeOwn = (limit: AbortSignal) => memoryOfUsers.take(message.userId, bytes, limit);
  return takeBoth(
    () => (request ? takeInTime(takeOwn, signal) : takeOwn(signal)),
    () => takeInTime((limit) => memory.take(bytes, limit), signal),
  );
}

/** What `take` gives. Throws `unavailable` where it does not in time. */
async function takeInTime<T>(take: (limit: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  const tooLate = AbortSignal.timeout(MEMORY_TIMEOUT_MS);
  return take(AbortSignal.any([signal, tooLate])).catch((error) => {
    throw tooLate.aborted ? new AppError('unavailable', {}, { cause: error }) : error;
  });
}

function addPart(run: Run, part: Exclude<UpstreamPart, { kind: 'picture' }>) {
  if (part.kind !== 'call') return run.addPart(part);
  const { id, name, args } = part;
  run.addPart({ kind: 'call', id, name, args });
}

function causeOf({ log, metrics }: AnswerDeps, run: Run, error: unknown): EndCause {
  if (run.cut === 'stopped') return 'stopped';
  const details = { err: error, messageId: run.message.id, model: run.message.model };
  if (run.cut === 'too_long') {
    log.warn(details, 'an answer was longer than any may be');
    run.fault = 'too_long';
    return { failed: 'upstream_failed' };
  }
  if (error instanceof UpstreamError) {
    log.warn(details, 'an answer failed');
    run.fault = error.kind;
    metrics.upstreamErrors.inc({ kind: error.kind, model: run.message.model });
    return { failed: isSchemaRefused(error, run) ? 'schema_refused' : error.code };
  }
  if (error instanceof AppError) {
    log.warn(details, 'an answer was not possible any more');
    return { failed: error.code };
  }
  log.error(details, 'an answer failed by a fault of ours');
  return { failed: 'internal' };
}

/** What a caller wrote of functions, or of the form of an answer, is refused by each provider for reasons of its own. */
function isSchemaRefused({ kind, status }: UpstreamError, { request }: Run): boolean {
  const isWritten = request?.tools?.functions !== undefined || request?.format !== undefined;
  return isWritten && kind === 'fetch' && status === 400;
}
