import type { ComputerAct, ComputerState } from '#contract/message/computer.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { TokenBuckets } from '#server/platform/token-buckets.ts';
import { answerConfirmation } from '../confirmations/answer-confirmation.ts';
import { publishRun } from '../runs/publish-run.ts';
import { type Control, selectRun, updateControl } from '../runs/run-store.ts';
import { readRun } from './read-run.ts';

type ControlDeps = Pick<Deps, 'database' | 'bus' | 'clock' | 'computer'>;

/** How many inputs a user who took over may send in a minute. */
const INPUTS_PER_MINUTE = 1_800;

const inputs = new TokenBuckets();

/** The state that each act leads to, and the states that it starts from. */
const MOVES: Record<'pause' | 'resume' | 'takeover' | 'handback', { from: Control[]; to: Control }> = {
  pause: { from: ['none', 'taken_over'], to: 'paused' },
  resume: { from: ['paused'], to: 'none' },
  takeover: { from: ['none', 'paused'], to: 'taken_over' },
  handback: { from: ['taken_over'], to: 'none' },
};

/**
 * Changes a run as its user asks. Returns its state afterwards; asking for the state that it has changes nothing. Throws `not_found`,
 * `computer_not_running`, and as `answerConfirmation`; `rate_limited` for more input than a person makes.
 */
export async function changeRun(
  deps: ControlDeps,
  userId: string,
  messageId: string,
  act: ComputerAct,
): Promise<ComputerState> {
  const state = await readRun(deps, userId, messageId);
  if (act.act === 'allow' || act.act === 'deny') {
    const isAllowed = act.act === 'allow';
    await answerConfirmation(deps, { userId, messageId, id: act.confirmationId, isAllowed });
  } else if (act.act === 'input') {
    if (state.state !== 'taken_over') throw new AppError('computer_not_running');
    const seconds = inputs.take(messageId, INPUTS_PER_MINUTE);
    if (seconds > 0) throw new AppError('rate_limited', { seconds });
    deps.computer.send(messageId, act.input);
    return state;
  } else await move(deps, userId, messageId, MOVES[act.act]);
  return readRun(deps, userId, messageId);
}

async function move(
  { database, bus }: ControlDeps,
  userId: string,
  messageId: string,
  { from, to }: { from: Control[]; to: Control },
): Promise<void> {
  if (await updateControl(database.sql, { userId, messageId, from, to })) return publishRun(bus, messageId);
  const run = await selectRun(database.sql, messageId);
  if (run?.control !== to || run.state === 'queued') throw new AppError('computer_not_running');
}
