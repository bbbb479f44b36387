import { compareOrder } from '#server/billing/compare-order.ts';
import { replayWebhook } from '#server/billing/inbox/replay-webhook.ts';
import { clearDispute } from '#server/billing/subscriptions/clear-dispute.ts';
import { refundCharge } from '#server/billing/subscriptions/refund-charge.ts';
import { verifyLedger } from '#server/credits/verify-ledger.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { changeCredits } from './change-credits.ts';
import { listQuarantine } from './list-quarantine.ts';
import type { Command, CommandName } from './parse-command.ts';
import { presentComparison } from './present-comparison.ts';
import type { Section } from './present-sections.ts';
import { readUser } from './read-user.ts';
import {
  type AdminUser,
  findInboxStatus,
  findUserBy,
  insertAudit,
  selectInbox,
  selectUnrecovered,
  selectUsedProviders,
} from './store.ts';

export interface Outcome {
  sections: Section[];
  /** 0: done; 1: there is something to look at. */
  code: number;
}

type Run = (deps: Deps, command: Command & { actor: string }) => Promise<Outcome>;

const done = (sections: Section[]): Outcome => ({ sections, code: 0 });

const COMMANDS: Record<CommandName, Run> = {
  inbox: async ({ database }, { status, limit }) =>
    done([{ title: '收件 Inbox', rows: await selectInbox(database.sql, status, limit) }]),
  replay,
  user: async (deps, { positionals: [key = ''] }) => done(await readUser(deps, await userOf(deps, key))),
  quarantine: async (deps) => done(await listQuarantine(deps)),
  compare,
  grant: changeBy(1),
  take: changeBy(-1),
  'clear-dispute': settleDispute,
  refund,
  drift,
};

/** What any of these reads or writes depends on the world that our keys belong to. */
const NEEDS_PROVIDERS: readonly CommandName[] = [
  'user',
  'quarantine',
  'replay',
  'compare',
  'clear-dispute',
  'refund',
];

/**
 * Does what an operator typed. Throws `AppError` and `ProviderError` for what cannot be done; `not_configured` where the settings
 * of a provider that was sold through are missing, since its facts would be judged wrongly.
 */
export async function runCommand(deps: Deps, command: Command & { actor: string }): Promise<Outcome> {
  if (NEEDS_PROVIDERS.includes(command.name)) {
    const used = await selectUsedProviders(deps.database.sql);
    const missing = used.find((name) => !deps.providers[name]);
    if (missing) throw new AppError('not_configured', { setting: `${missing.toUpperCase()}_API_KEY` });
  }
  return COMMANDS[command.name](deps, command);
}

/** As many lines as somebody reads. */
const MAX_DRIFT = 200;

async function drift({ database }: Deps): Promise<Outcome> {
  const rows = [];
  for await (const { kind, userId, detail } of verifyLedger({ database })) {
    rows.push({ kind, user_id: userId, detail: JSON.stringify(detail) });
    if (rows.length === MAX_DRIFT) break;
  }
  const sections: Section[] = [
    { title: '偏差（必须为空）Drift (must be empty)', rows },
    { title: '未能收回 Unrecovered', rows: await selectUnrecovered(database.sql) },
  ];
  return { sections, code: rows.length > 0 ? 1 : 0 };
}

async function userOf(deps: Deps, key: string): Promise<AdminUser> {
  const user = await findUserBy(deps.database.sql, key);
  if (!user) throw new AppError('not_found');
  return user;
}

function changeBy(sign: 1 | -1): Run {
  return async (deps, { positionals: [key = '', credits = ''], days, reason, actor }) => {
    const user = await userOf(deps, key);
    return done(await changeCredits(deps, { user, amount: sign * Number(credits), days, reason, actor }));
  };
}

async function replay(...[deps, { positionals, reason, actor }]: Parameters<Run>): Promise<Outcome> {
  const { sql } = deps.database;
  const [id = ''] = positionals;
  if (!(await findInboxStatus(sql, id))) throw new AppError('not_found');
  const note = { actor, act: 'replay', userId: null, subject: id, reason: reason || 'replay', details: {} };
  await insertAudit(sql, { ...note, at: deps.clock.now() });
  await replayWebhook(deps, id);
  const after = await findInboxStatus(sql, id);
  const sections: Section[] = [{ title: '收件 Inbox', rows: [{ id, ...after }] }];
  return { sections, code: after?.status === 'done' ? 0 : 1 };
}

async function compare(...[deps, { positionals, apply, reason, actor }]: Parameters<Run>): Promise<Outcome> {
  const [id = ''] = positionals;
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) throw new AppError('not_found');
  const comparison = await compareOrder(deps, id.toLowerCase(), apply);
  const { userId } = comparison.order;
  const note = { actor, act: 'compare', userId, subject: id, reason, details: {}, at: deps.clock.now() };
  if (apply) await insertAudit(deps.database.sql, note);
  return done(presentComparison(comparison));
}

async function settleDispute(...[deps, { positionals, reason, actor }]: Parameters<Run>): Promise<Outcome> {
  const [key = '', paymentKey = ''] = positionals;
  const user = await userOf(deps, key);
  const note = { actor, act: 'clear_dispute', userId: user.id, subject: paymentKey, reason, details: {} };
  await clearDispute(deps, user.id, paymentKey, (tx) => insertAudit(tx, { ...note, at: deps.clock.now() }));
  return done([
    `争议 ${paymentKey} 已了结，${user.email} 又可以购买了。The dispute is settled; ${user.email} can buy again.`,
  ]);
}

async function refund(...[deps, { positionals, reason, actor }]: Parameters<Run>): Promise<Outcome> {
  const [key = '', paymentKey = ''] = positionals;
  const user = await userOf(deps, key);
  const note = { actor, act: 'refund', userId: user.id, subject: paymentKey, reason, details: {} };
  await insertAudit(deps.database.sql, { ...note, at: deps.clock.now() });
  await refundCharge(deps, user.id, paymentKey);
  return done([
    `已要求退款 ${paymentKey}。The refund of ${paymentKey} was asked for.`,
    ...(await readUser(deps, user)),
  ]);
}
