import type { ComputerState } from '#contract/message/computer.ts';
import { readMessage } from '#server/chat/messages/list-messages.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { VIEWPORT } from '../host/protocol.ts';
import { presentRun, selectRun } from '../runs/run-store.ts';

/** How the run of a message of the user is; one that never drove a browser is `ended`. Throws `not_found`. */
export async function readRun(
  deps: Pick<Deps, 'database'>,
  userId: string,
  messageId: string,
): Promise<ComputerState> {
  if (!(await readMessage(deps, userId, messageId))) throw new AppError('not_found');
  return presentRun(await selectRun(deps.database.sql, messageId), VIEWPORT);
}
