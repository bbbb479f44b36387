import type { BaseDeps } from '#server/base-deps.ts';
import type { ProviderUse } from '#server/catalogue/provider-cost-rules.ts';
import { runAbout, runApart } from '#server/platform/telemetry/request-context.ts';
import { composeCost } from '../costs/cost-rules.ts';
import { type BackgroundKind, insertBackgroundCost } from '../costs/cost-store.ts';
import type { MessageRow } from '../message-store/store.ts';
import type { GenerateRequest } from '../upstream/transport/upstream.ts';
import { MAX_WRITTEN } from './line-rules.ts';

const AT_ONCE = 4;
/** What comes while so many wait is left undone. */
const MAX_WAITING = 200;
const TIMEOUT_MS = 15_000;

export type BackgroundOutcome = 'written' | 'limited' | null;

export interface BackgroundWork<T> {
  /** Counts what came of each; null of one that was not needed is not counted. */
  outcomes: { inc(labels: { outcome: string }): void };
  /** Does one; rejects when the model fails. */
  write(item: T, signal: AbortSignal): Promise<BackgroundOutcome>;
  onFault(item: T, error: unknown): void;
}

/** Small things that a model writes beside the conversations, free for their users: a few at a time, none of them waited for. */
export interface BackgroundCalls<T> {
  /** Takes one more, and returns at once. */
  add(item: T): void;
  /** Gives up those that are not needed any more. */
  cancel(isObsolete: (item: T) => boolean): void;
  /** Gives up all. */
  close(): void;
}

/** Runs what is added, in its order. */
export function runBackgroundCalls<T extends Pick<MessageRow, 'id' | 'userId'>>(
  work: BackgroundWork<T>,
): BackgroundCalls<T> {
  const { outcomes, write, onFault } = work;
  let waiting: T[] = [];
  const underWay = new Map<T, AbortController>();
  let isClosed = false;

  function startNext() {
    const item = underWay.size < AT_ONCE ? waiting.shift() : undefined;
    if (item === undefined || isClosed) return;
    const about = { messageId: item.id, userId: item.userId };
    runApart(() => runAbout(about, () => void writeOne(item)));
  }

  async function writeOne(item: T): Promise<void> {
    const controller = new AbortController();
    underWay.set(item, controller);
    try {
      const outcome = await write(
        item,
        AbortSignal.any([controller.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      );
      if (outcome) outcomes.inc({ outcome });
    } catch (error) {
      outcomes.inc({ outcome: controller.signal.aborted ? 'cancelled' : 'failed' });
      if (!controller.signal.aborted) onFault(item, error);
    }
    underWay.delete(item);
    startNext();
  }

  return {
    add(item) {
      if (waiting.length >= MAX_WAITING) return;
      waiting.push(item);
      startNext();
    },
    cancel(isObsolete) {
      waiting = waiting.filter((item) => !isObsolete(item));
      for (const [item, controller] of underWay) if (isObsolete(item)) controller.abort();
    },
    close() {
      isClosed = true;
      for (const controller of underWay.values()) controller.abort();
    },
  };
}

interface BackgroundQuestion {
  /** The message beside which it is written. */
  message: MessageRow;
  kind: BackgroundKind;
  /** The model that writes. */
  model: string;
  request: GenerateRequest;
}

/** Has a model write for a request, and records what that cost us. Returns the beginning of the text. Rejects as `Upstream.stream`. */
export async function askInBackground(
  deps: Pick<BaseDeps, 'upstream' | 'database' | 'clock' | 'log'>,
  { message, kind, model, request }: BackgroundQuestion,
  signal: AbortSignal,
): Promise<{ written: string; isWhole: boolean }> {
  const uses: ProviderUse[] = [];
  let written = '';
  const handlers = {
    onText: (text: string) => {
      if (written.length < MAX_WRITTEN) written += text;
    },
    onReasoning: () => {},
    onPart: () => {},
    onNotice: () => {},
    onUse: (use: ProviderUse) => uses.push(use),
  };
  try {
    const { finishReason } = await deps.upstream.stream(model, request, handlers, signal);
    const isWhole = finishReason === 'stop' && written.length <= MAX_WRITTEN;
    return { written, isWhole };
  } finally {
    const cost = composeCost(uses, [], deps.clock.now());
    await insertBackgroundCost(deps.database.sql, message, {
      kind,
      cost,
      at: deps.clock.databaseTime(),
    }).catch((err) =>
      deps.log.error({ err, messageId: message.id, kind }, 'the cost of a background call was not recorded'),
    );
  }
}
