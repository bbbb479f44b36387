import { verifyLedger } from '#server/credits/verify-ledger.ts';
import type { Deps } from '#server/deps.ts';
import { ACT_COMMANDS, done, type Outcome, type Run } from './act-commands.ts';
import { requireProviders } from './billing-records/require-providers.ts';
import { requireUser } from './billing-records/require-user.ts';
import { selectInbox, selectUnrecovered } from './billing-records/store.ts';
import { listMargin } from './list-margin.ts';
import { listQuarantine } from './list-quarantine.ts';
import { MODEL_COMMANDS } from './model-commands.ts';
import { MONEY_COMMANDS } from './money-commands.ts';
import type { Command, CommandName } from './parse-command.ts';
import { PEOPLE_COMMANDS } from './people-commands.ts';
import type { Section } from './present-sections.ts';
import { readUser } from './read-user.ts';
import type { CopyName } from './run-copy-command.ts';

type UsualName = Exclude<CommandName, CopyName>;
/** What is done in a database; whole ones are copied by `runCopyCommand`. */
export type UsualCommand = Command & { name: UsualName };

const COMMANDS: Record<UsualName, Run> = {
  ...ACT_COMMANDS,
  ...MODEL_COMMANDS,
  ...PEOPLE_COMMANDS,
  ...MONEY_COMMANDS,
  inbox: async ({ database }, { status, limit }) =>
    done([{ title: '支付通知 Inbox', rows: await selectInbox(database.sql, status, limit) }]),
  user: async (deps, { positionals: [key = ''] }) => done(await readUser(deps, await requireUser(deps, key))),
  quarantine: async (deps) => done(await listQuarantine(deps)),
  drift,
  margin: async (deps, { from, to }) => done(await listMargin(deps, from, to)),
};

/** What any of these reads or writes depends on the world that our keys belong to. */
const NEEDS_PROVIDERS: readonly CommandName[] = ['user', 'quarantine', 'compare'];

/**
 * Does what an operator typed. Throws `AppError` and `ProviderError` for what cannot be done; `not_configured` where the settings
 * of a provider that was sold through are missing, since its facts would be judged wrongly.
 */
export async function runCommand(deps: Deps, command: UsualCommand & { actor: string }): Promise<Outcome> {
  if (NEEDS_PROVIDERS.includes(command.name)) await requireProviders(deps);
  return COMMANDS[command.name](deps, command);
}

/** As many lines as a person reads. */
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
