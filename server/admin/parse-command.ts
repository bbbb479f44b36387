import { parseArgs } from 'node:util';
import { z } from 'zod';
import { MAX_PRICE } from '#contract/admin/acts.ts';
import { INBOX_STATUSES } from '#contract/admin/screens.ts';
import { orderStatusSchema } from '#contract/billing.ts';

/** Each command with its arguments; `<…>` is required. */
const USAGES = {
  today: '',
  inbox: '[--status new|done|failed] [--limit N]',
  replay: '<inbox id> [--reason …]',
  users: '<email or its beginning|id>',
  user: '<email|id>',
  orders: '[--status open|paid|failed|abandoned|refunded|disputed] [--cursor …]',
  quarantine: '',
  compare: '<order id> [--apply --reason …]',
  grant: '<email|id> <credits> --days N --reason …',
  take: '<email|id> <credits> --reason …',
  disputes: '[--cursor …]',
  'clear-dispute': '<email|id> <payment key> --reason …',
  refund: '<email|id> <payment key> --reason … --yes',
  drift: '',
  margin: '[--from YYYY-MM-DD] [--to YYYY-MM-DD]',
  failures: '[--cursor …]',
  abuse: '',
  'personal-data': '',
  proposals: '',
  audit: '[--by NAME] [--act ACT] [--user email|id] [--cursor …]',
  operators: '',
  'make-operator': '<email|id> --reason …',
  'remove-operator': '<email|id> --reason …',
  'sign-out': '<email|id> --reason …',
  models: '',
  'pause-model': '<model> [--apply --reason …]',
  'resume-model': '<model> --reason …',
  'set-price': '<model> <credits> --from YYYY-MM-DD [--apply --reason …]',
  'withdraw-price': '<model> --from YYYY-MM-DD --reason …',
  'move-database': '',
  backup: '<folder>',
  restore: '<backup>',
  drill: '<backup>',
} as const;

export type CommandName = keyof typeof USAGES;

const NEEDS_REASON: readonly CommandName[] = [
  'grant',
  'take',
  'clear-dispute',
  'refund',
  'make-operator',
  'remove-operator',
  'sign-out',
  'resume-model',
  'withdraw-price',
];

/** What `--status` takes. */
const STATUSES: Partial<Record<CommandName, readonly string[]>> = {
  inbox: INBOX_STATUSES,
  orders: orderStatusSchema.options,
};

export interface Command {
  name: CommandName;
  positionals: string[];
  status: string | null;
  limit: number;
  days: number;
  /** The first and the last day, UTC; null: as many days as `margin` shows by itself. */
  from: string | null;
  to: string | null;
  /** Where the page begins, as the one before it says; null: with the newest. */
  cursor: string | null;
  /** Whose acts, which acts, and concerning whom; null: all. */
  by: string | null;
  act: string | null;
  user: string | null;
  reason: string;
  /** The operator; null: the user of the operating system who runs the program. */
  actor: string | null;
  apply: boolean;
  yes: boolean;
}

const OPTIONS = {
  status: { type: 'string' },
  limit: { type: 'string' },
  days: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  cursor: { type: 'string' },
  by: { type: 'string' },
  act: { type: 'string' },
  user: { type: 'string' },
  reason: { type: 'string' },
  actor: { type: 'string' },
  apply: { type: 'boolean' },
  yes: { type: 'boolean' },
} as const;

/** What was typed is no command: `message` says why and shows how it is done. */
export class UsageError extends Error {
  constructor(problem: string, name: CommandName | null) {
    const names = name === null ? (Object.keys(USAGES) as CommandName[]) : [name];
    const lines = names.map((one) => `  npm run admin -- ${one} ${USAGES[one]}`.trimEnd());
    super(
      `${problem}\n\n用法 Usage:\n${lines.join('\n')}\n  --actor NAME 操作人，默认为系统用户 who does it, else the user of this system`,
    );
    this.name = 'UsageError';
  }
}

/** Reads what was typed behind `npm run admin --`. Throws `UsageError`. */
export function parseCommand(argv: readonly string[]): Command {
  const [word = '', ...rest] = argv;
  if (word === '') throw new UsageError('请写明命令。Give a command.', null);
  if (!Object.hasOwn(USAGES, word))
    throw new UsageError(`没有命令“${word}” There is no command “${word}”.`, null);
  const name = word as CommandName;
  const { values, positionals } = read(name, rest);
  const command: Command = {
    name,
    positionals,
    status: values.status ?? null,
    limit: wholeOf(name, '--limit', values.limit ?? '50', 1_000),
    days: wholeOf(name, '--days', values.days ?? '1', 3_660),
    from: values.from ?? null,
    to: values.to ?? null,
    cursor: values.cursor ?? null,
    by: values.by ?? null,
    act: values.act ?? null,
    user: values.user ?? null,
    reason: values.reason?.trim() ?? '',
    actor: values.actor?.trim() || null,
    apply: values.apply ?? false,
    yes: values.yes ?? false,
  };
  check(command, values.days !== undefined);
  return command;
}

function read(name: CommandName, rest: readonly string[]) {
  const given = parse(name, rest);
  const usage: string = USAGES[name];
  for (const option of Object.keys(given.values))
    if (option !== 'actor' && !usage.includes(`--${option}`))
      throw new UsageError(`${name} 没有选项 --${option}。${name} takes no --${option}.`, name);
  return given;
}

function parse(name: CommandName, rest: readonly string[]) {
  try {
    return parseArgs({ args: [...rest], options: OPTIONS, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), name);
  }
}

/** An option as `schema` reads it; null: it was not given. Throws `UsageError`. */
export function parseOption<T>(
  name: CommandName,
  option: string,
  text: string | null,
  schema: z.ZodType<T, string>,
): T | null {
  if (text === null) return null;
  const { data, success } = schema.safeParse(text);
  if (success) return data;
  throw new UsageError(`${option} 不能是“${text}”。${option} cannot be “${text}”.`, name);
}

function wholeOf(name: CommandName, what: string, text: string, most: number): number {
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value >= 1 && value <= most) return value;
  throw new UsageError(
    `${what} 应为 1 到 ${most} 的整数。${what} takes a whole number from 1 to ${most}.`,
    name,
  );
}

function check({ name, positionals, status, reason, apply, yes, from, to }: Command, hasDays: boolean): void {
  const usage: string = USAGES[name];
  const wanted = usage.match(/<[^>]+>/g)?.length ?? 0;
  if (positionals.length !== wanted || positionals.includes(''))
    throw new UsageError(`需要 ${wanted} 个参数。It takes ${wanted} arguments.`, name);
  const statuses = STATUSES[name] ?? [];
  if (status !== null && !statuses.includes(status))
    throw new UsageError(
      `--status 应为 ${statuses.join('、')} 之一。--status is one of ${statuses.join(', ')}.`,
      name,
    );
  for (const day of [from, to])
    if (day !== null && !z.iso.date().safeParse(day).success)
      throw new UsageError(
        `日期应写成 2026-11-25，不是“${day}”。A day is written 2026-11-25, not “${day}”.`,
        name,
      );
  if (from !== null && to !== null && from > to)
    throw new UsageError('--from 不应晚于 --to。--from is not after --to.', name);
  const needsReason = NEEDS_REASON.includes(name) || apply;
  if (needsReason && reason === '')
    throw new UsageError('请用 --reason 写明原因。Say why with --reason.', name);
  if (name === 'grant' && !hasDays)
    throw new UsageError('请用 --days 写明有效天数。Say for how many days with --days.', name);
  if (name === 'refund' && !yes)
    throw new UsageError(
      '退款不能撤回，请加 --yes 确认。A refund cannot be undone: confirm with --yes.',
      name,
    );
  if (name === 'replay' && !/^\d{1,18}$/.test(positionals[0] ?? ''))
    throw new UsageError('通知编号是数字，见 inbox。The inbox id is a number; see inbox.', name);
  if (name === 'grant' || name === 'take') wholeOf(name, '<credits>', positionals[1] ?? '', 1_000_000);
  if (name === 'set-price') wholeOf(name, '<credits>', positionals[1] ?? '', MAX_PRICE);
  if ((name === 'set-price' || name === 'withdraw-price') && from === null)
    throw new UsageError('请用 --from 写明从哪天起。Say from which day on with --from.', name);
}
