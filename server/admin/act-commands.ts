import type { Act } from '#contract/admin/acts.ts';
import { compareOrder } from '#server/billing/compare-order.ts';
import { readBalance } from '#server/credits/read-balance.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { runAct } from './acts/run-act.ts';
import { requireUser } from './billing-records/require-user.ts';
import { findInboxStatus } from './billing-records/store.ts';
import { changeOperator } from './operators/change-operator.ts';
import { selectOperators } from './operators/operator-store.ts';
import type { Command, CommandName } from './parse-command.ts';
import { presentComparison } from './present-comparison.ts';
import type { Section } from './present-sections.ts';
import { readUser } from './read-user.ts';

export interface Outcome {
  sections: Section[];
  /** 0: done; 1: there is something to look at. */
  code: number;
}

export type Run = (deps: Deps, command: Command & { actor: string }) => Promise<Outcome>;

export const done = (sections: Section[]): Outcome => ({ sections, code: 0 });

/** Commands that change something: the acts of the console, and who may use it. */
export const ACT_COMMANDS = {
  grant,
  take,
  refund,
  'clear-dispute': settleDispute,
  compare,
  replay,
  'sign-out': signOut,
  operators: async ({ database }) =>
    done([{ title: '管理员 Operators', rows: await selectOperators(database.sql) }]),
  'make-operator': changeOperators(true),
  'remove-operator': changeOperators(false),
} satisfies Partial<Record<CommandName, Run>>;

/** An act as the console does it, asked for by whoever has this machine. */
export function order(
  deps: Deps,
  { actor, reason }: { actor: string; reason: string },
  act: Act,
): Promise<void> {
  const by = { name: actor, operatorId: null, agreedBy: null };
  return runAct(deps, { id: newId(), reason, act, by });
}

async function grant(...[deps, command]: Parameters<Run>): Promise<Outcome> {
  const [key = '', credits = ''] = command.positionals;
  const { days } = command;
  const { id, email } = await requireUser(deps, key);
  await order(deps, command, { act: 'grant', userId: id, credits: Number(credits), days });
  const balance = await readBalance(deps, id);
  return done([
    `已给 ${email} 发放 ${credits} Credits，${days} 天有效，余额 ${balance}。Gave ${credits} credits for ${days} days; the balance is ${balance}.`,
  ]);
}

async function take(...[deps, command]: Parameters<Run>): Promise<Outcome> {
  const [key = '', credits = ''] = command.positionals;
  const { id, email } = await requireUser(deps, key);
  await order(deps, command, { act: 'take', userId: id, credits: Number(credits) });
  const balance = await readBalance(deps, id);
  return done([
    `已从 ${email} 收回 ${credits} Credits，余额 ${balance}。Took ${credits} credits; the balance is ${balance}.`,
  ]);
}

async function replay(...[deps, command]: Parameters<Run>): Promise<Outcome> {
  const { actor, reason, positionals } = command;
  const [id = ''] = positionals;
  await order(deps, { actor, reason: reason || 'replay' }, { act: 'replay', inboxId: id });
  const after = await findInboxStatus(deps.database.sql, id);
  const sections: Section[] = [{ title: '支付通知 Inbox', rows: [{ id, ...after }] }];
  return { sections, code: after?.status === 'done' ? 0 : 1 };
}

async function compare(...[deps, command]: Parameters<Run>): Promise<Outcome> {
  const [id = ''] = command.positionals;
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) throw new AppError('not_found');
  const orderId = id.toLowerCase();
  const comparison = await compareOrder(deps, orderId);
  if (command.apply) await order(deps, command, { act: 'adopt_order', orderId });
  return done(presentComparison(comparison));
}

async function settleDispute(...[deps, command]: Parameters<Run>): Promise<Outcome> {
  const [key = '', paymentKey = ''] = command.positionals;
  const { id, email } = await requireUser(deps, key);
  await order(deps, command, { act: 'clear_dispute', userId: id, paymentKey });
  return done([
    `争议 ${paymentKey} 已了结，${email} 又可以购买了。The dispute is settled; ${email} can buy again.`,
  ]);
}

async function refund(...[deps, command]: Parameters<Run>): Promise<Outcome> {
  const [key = '', paymentKey = ''] = command.positionals;
  const user = await requireUser(deps, key);
  await order(deps, command, { act: 'refund', userId: user.id, paymentKey });
  return done([
    `已要求退款 ${paymentKey}。The refund of ${paymentKey} was asked for.`,
    ...(await readUser(deps, user)),
  ]);
}

async function signOut(...[deps, command]: Parameters<Run>): Promise<Outcome> {
  const { id, email } = await requireUser(deps, command.positionals[0] ?? '');
  await order(deps, command, { act: 'sign_out', userId: id });
  return done([`${email} 已在所有设备上退出登录。${email} is signed out everywhere.`]);
}

function changeOperators(isOperator: boolean): Run {
  return async (deps, { positionals: [key = ''], reason, actor }) => {
    const user = await requireUser(deps, key);
    await changeOperator(deps, { user, isOperator, reason, actor });
    return done([
      isOperator
        ? `${user.email} 可以使用管理台了，须先开启两步验证。${user.email} may use the console once two-step verification is on.`
        : `${user.email} 不能再使用管理台。${user.email} can no longer use the console.`,
    ]);
  };
}
