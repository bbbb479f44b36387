import { setTimeout as sleep } from 'node:timers/promises';
import type { AnswerPart } from '#contract/message/parts.ts';
import type { BaseDeps } from '#server/base-deps.ts';
import { makesPictures } from '#server/catalogue/models.ts';
import { chargeOf, type Ran } from '#server/catalogue/quote-rules.ts';
import { publishCredits } from '#server/credits/publish-credits.ts';
import { composeAnswerCost } from '../costs/cost-rules.ts';
import { endConfirmations, storeParts } from '../message-store/message-parts.ts';
import { publishMessage } from '../message-store/publish-news.ts';
import { findMessages, type MessageRow } from '../message-store/store.ts';
import type { AnswerMetadata } from '../upstream/transport/upstream.ts';
import { countFree, countSteps, type Ending, type FreeCount } from './ending-rules.ts';
import { publishEvents } from './remote-feeds.ts';
import type { Run } from './run.ts';
import { type EndedRun, updateEnded } from './run-store.ts';

const RETRY_FIRST_MS = 100;
const MAX_RETRY_MS = 2_000;
/** How long the end is tried before the answer is given up and left to the reaper. */
const DEADLINE_MS = 60_000;

type CloseDeps = Pick<BaseDeps, 'database' | 'bus' | 'clock' | 'log' | 'metrics' | 'instanceId'>;

/**
 * Ends a run: final text, status and hold in one transaction, tried again while the database is away; then it notifies followers and
 * tabs. `updateEnded` settles or releases the hold, by `end_message` in SQL. When the reaper was faster nothing is charged, and followers
 * get what it left. Returns the message that it ended; null when another process did, or none.
 */
export async function closeRun(
  deps: CloseDeps,
  run: Run,
  ending: Ending,
  metadata: AnswerMetadata | null,
): Promise<MessageRow | null> {
  const outcome = outcomeOf(run, ending, metadata);
  const written = await writeEnd(deps, run, ending, metadata, outcome);
  if (!written) {
    if (written === null) await acceptEnd(deps, run, ending);
    else run.feed.lose();
    return null;
  }
  const message = endedMessage(run, ending, metadata, { ...outcome, endedAt: written.endedAt });
  countAnswer(deps, message);
  deps.metrics.searches.inc({ charged: ending.charged ? 'yes' : 'no' }, metadata?.searches ?? 0);
  run.feed.end(message);
  publishEvents(deps.bus, [message.id]);
  publishMessage(deps.bus, message);
  publishCredits(deps.bus, message.userId, written.balance);
  return message;
}

/** Counts an answer that ended, once, by the process that ended it. */
export function countAnswer({ metrics }: Pick<BaseDeps, 'metrics'>, message: MessageRow): void {
  const { model, status, errorCode } = message;
  metrics.answers.inc({ model, outcome: errorCode ?? status });
}

type Outcome = Pick<EndedRun, 'charge' | 'output'>;

/** The charge of a price with several lines, and the parts of the answer besides text. */
function outcomeOf(run: Run, { charged, errorCode }: Ending, metadata: AnswerMetadata | null): Outcome {
  const { message, parts } = run;
  const quote = message.input?.quote;
  const charge = charged && quote ? chargeOf(quote, ranOf(parts, metadata)) : null;
  const stored = storeParts(endConfirmations(parts));
  const searches = metadata?.searches ?? 0;
  const output = {
    ...(stored ? { parts: stored } : {}),
    ...(charge ? { charged: charge } : {}),
    ...(searches > 0 ? { searches } : {}),
    ...(run.fault && errorCode === 'upstream_failed' ? { fault: run.fault } : {}),
  };
  return { charge, output: Object.keys(output).length > 0 ? output : null };
}

function ranOf(parts: readonly AnswerPart[], metadata: AnswerMetadata | null): Ran {
  return {
    searches: metadata?.searches ?? 0,
    pictures: parts.filter(({ kind }) => kind === 'image').length,
    steps: countSteps(parts),
  };
}

function endedMessage(
  run: Run,
  ending: Ending,
  metadata: AnswerMetadata | null,
  { charge, output, endedAt }: Outcome & { endedAt: Date },
): MessageRow {
  return {
    ...run.message,
    response: run.text,
    status: ending.status,
    creditsUsed: ending.charged ? (charge?.total ?? run.message.cost) : 0,
    output,
    errorCode: ending.errorCode,
    modelVersion: metadata?.modelVersion ?? null,
    contextTrimmed: run.contextTrimmed,
    upstreamSwitched: run.upstreamSwitched,
    usage: metadata?.usage ?? null,
    finishReason: metadata?.finishReason ?? null,
    firstTextMs: run.firstTextMs,
    endSeq: run.feed.events.length + 1,
    endedAt,
  };
}

/** A model that makes pictures says nothing while it works. */
function freeCountOf(run: Run, ending: Ending, metadata: AnswerMetadata | null): FreeCount {
  const { isAsked, hasActed, hasPieces, message, parts, fault } = run;
  return countFree(ending, {
    wasAsked: isAsked,
    hasWorked: hasPieces || hasActed || (metadata?.usage ?? null) !== null || makesPictures(message.model),
    hasActed: hasActed || countSteps(parts) > 0,
    fault,
  });
}

/** The balance and the time; null when another process has ended the message; undefined when it could not be written in time. */
async function writeEnd(
  deps: CloseDeps,
  run: Run,
  ending: Ending,
  metadata: AnswerMetadata | null,
  outcome: Outcome,
) {
  const providerCost = run.isAsked ? composeAnswerCost(run, deps.clock.now()) : null;
  const giveUpAt = performance.now() + DEADLINE_MS;
  for (let delay = RETRY_FIRST_MS; ; delay = Math.min(delay * 2, MAX_RETRY_MS)) {
    // Another run answers it now, under the same id.
    if (run.cut === 'lost') return undefined;
    try {
      const ended = {
        id: run.message.id,
        owner: deps.instanceId,
        ending,
        free: freeCountOf(run, ending, metadata),
        response: run.text,
        ...outcome,
        providerCost,
        metadata,
        contextTrimmed: run.contextTrimmed,
        upstreamSwitched: run.upstreamSwitched,
        firstTextMs: run.firstTextMs,
        endSeq: run.feed.events.length + 1,
        events: run.unloggedEvents(),
        firstSeq: run.firstUnlogged,
        at: deps.clock.databaseTime(),
      };
      return await deps.database.flush(await deps.database.pinned((sql) => updateEnded(sql, ended)));
    } catch (error) {
      const isLast = performance.now() + delay > giveUpAt || run.cut === 'interrupted';
      deps.log.error(
        { err: error, messageId: run.message.id },
        isLast
          ? 'operator alert: the end of an answer could not be stored; it will be released'
          : 'storing the end of an answer failed; trying again',
      );
      if (isLast) return undefined;
    }
    await sleep(delay);
  }
}

/** The message was ended before: by an attempt of ours whose answer was lost, or by the reaper. */
async function acceptEnd(deps: CloseDeps, run: Run, ending: Ending): Promise<void> {
  const [message] = await findMessages(deps.database.sql, [run.message.id]);
  if (!message || message.status === 'running') {
    run.feed.lose();
    return;
  }
  if (message.status !== ending.status && run.cut !== 'interrupted') {
    deps.log.error(
      { messageId: message.id, status: message.status, wanted: ending.status },
      'operator alert: an answer came after its message was ended for us; it is free of charge',
    );
  }
  run.feed.end(message);
  publishMessage(deps.bus, message);
}
