import type { BaseDeps } from '#server/base-deps.ts';
import { AppError } from '#server/errors.ts';
import type { MessageRow } from '../tree/store.ts';
import type { AnswerFacts, AnswerPart } from '../upstream/transport/upstream.ts';
import { UpstreamError } from '../upstream/transport/upstream-error.ts';
import { closeRun } from './close-run.ts';
import { composeRequest } from './compose-request.ts';
import { decideEnding, type EndCause } from './ending-rules.ts';
import type { Run } from './run.ts';

type GenerateDeps = Pick<
  BaseDeps,
  'config' | 'database' | 'storages' | 'bus' | 'clock' | 'log' | 'metrics' | 'instanceId' | 'upstream'
>;

/**
 * Has a message answered and ends it, whatever happens. Never rejects for a fault of the upstream or a stop. Gives back the message
 * as it ended; null when this call did not end it.
 */
export async function generate(deps: GenerateDeps, run: Run): Promise<MessageRow | null> {
  let cause: EndCause;
  let facts: AnswerFacts | null;
  try {
    facts = await ask(deps, run);
    cause = 'finished';
  } catch (error) {
    if (run.cut === 'interrupted' || run.cut === 'lost') return null;
    facts = error instanceof UpstreamError ? error.facts : null;
    cause = causeOf(deps, run, error);
  }
  run.isClosing = true;
  run.flush(true);
  return closeRun(deps, run, decideEnding(cause, run.parts), facts);
}

async function ask(deps: GenerateDeps, run: Run): Promise<AnswerFacts> {
  const { request, isTrimmed } = await composeRequest(deps, run);
  if (isTrimmed) {
    run.contextTrimmed = true;
    run.notice('context_trimmed');
  }
  run.signal.throwIfAborted();
  run.isAsked = true;
  return deps.upstream.stream(
    run.message.model,
    request,
    {
      onText: (text) => run.add('text', text),
      onReasoning: (text) => run.add('reasoning', text),
      onPart: (part) => addPart(run, part),
      onNotice: (code) => run.notice(code),
    },
    run.signal,
  );
}

/** A picture has no place yet: nothing that is asked makes one. */
function addPart(run: Run, part: AnswerPart) {
  if (part.kind === 'picture') return;
  if (part.kind !== 'call') return run.addPart(part);
  const { id, name, args } = part;
  run.addPart({ kind: 'call', id, name, args });
}

function causeOf({ log, metrics }: GenerateDeps, run: Run, error: unknown): EndCause {
  if (run.cut === 'stopped') return 'stopped';
  const details = { err: error, messageId: run.message.id, model: run.message.model };
  if (run.cut === 'too_long') {
    log.warn(details, 'an answer was longer than any may be');
    return { failed: 'upstream_failed' };
  }
  if (error instanceof UpstreamError) {
    log.warn(details, 'an answer failed');
    metrics.upstreamErrors.inc({ kind: error.kind, model: run.message.model });
    return { failed: error.code };
  }
  if (error instanceof AppError) {
    log.warn(details, 'an answer was not possible any more');
    return { failed: error.code };
  }
  log.error(details, 'an answer failed by a fault of ours');
  return { failed: 'internal' };
}
