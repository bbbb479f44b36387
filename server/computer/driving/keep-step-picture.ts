import { keepMadePicture } from '#server/files/made-pictures/keep-made-picture.ts';
import type { LiveRun } from '../runs/live-run.ts';
import type { RunDeps } from '../runs/run-deps.ts';

/** Keeps the picture of a step as a file of its conversation; null where that fails, which ends no run. */
export async function keepStepPicture(
  deps: RunDeps,
  { run }: LiveRun,
  n: number,
  jpeg: string,
): Promise<string | null> {
  const { id: messageId, userId } = run.message;
  const picture = {
    userId,
    messageId,
    name: `step-${n}`,
    everyTurn: false,
    bytes: Buffer.from(jpeg, 'base64'),
  };
  try {
    const kept = await keepMadePicture(deps, picture, run.signal);
    return kept?.fileId ?? null;
  } catch (err) {
    run.signal.throwIfAborted();
    deps.log.warn({ err, messageId }, 'the picture of a step could not be kept');
    return null;
  }
}
