import { userInfo } from 'node:os';
import type { Language } from '#contract/choices.ts';
import type { Outcome } from '#server/admin/act-commands.ts';
import { parseCommand, UsageError } from '#server/admin/parse-command.ts';
import { presentSections } from '#server/admin/present-sections.ts';
import { runCommand, type UsualCommand } from '#server/admin/run-command.ts';
import { isCopyName, runCopyCommand } from '#server/admin/run-copy-command.ts';
import { ProviderError } from '#server/billing/providers/provider-error.ts';
import { type Config, loadConfig } from '#server/config.ts';
import { isMigrated } from '#server/db/migrate.ts';
import { createDeps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { reachPostgres } from '#server/platform/postgres/reach-postgres.ts';
import { translate } from '#server/platform/translate.ts';
import { readEmulatorSettings } from './emulator-settings.ts';

/** How settings are read: a secret that commands made in `DATA_DIR` would not be the server's. */
const BESIDE_SERVER = { makesSecret: false };

/** The operator's command line: exit code 0 done, 1 could not be done or there is something to look at, 2 mistyped. */
async function main(): Promise<number> {
  const command = parseCommand(process.argv.slice(2));
  const { name } = command;
  const config = readSettings();
  if (isCopyName(name)) return show(await runCopyCommand(config, name, command.positionals));
  const postgres = config.databaseUrl === null ? await reachPostgres(config.dataDir) : null;
  try {
    return await run(config, config.databaseUrl ?? postgres?.url ?? '', { ...command, name });
  } finally {
    await postgres?.close();
  }
}

/** The server's settings; where it plays a provider itself, those of the stand-in that was started last. No secret is made for them. */
function readSettings(): Config {
  const env = { LOG_LEVEL: 'silent', ...process.env };
  const { dataDir, emulate } = loadConfig(env, BESIDE_SERVER);
  return loadConfig({ ...readEmulatorSettings(dataDir, emulate), ...env }, BESIDE_SERVER);
}

async function run(config: Config, databaseUrl: string, command: UsualCommand): Promise<number> {
  const deps = createDeps(config, databaseUrl);
  try {
    if (!(await isMigrated(deps.database.sql)))
      throw new Error(
        '数据库还不是这个版本的结构，请先启动一次服务。\nThe database is not of this version yet: start the server once.',
      );
    await deps.instance.start();
    const outcome = await runCommand(deps, { ...command, actor: command.actor ?? userInfo().username });
    return show(outcome);
  } finally {
    await deps.instance.stop().catch(() => {});
    deps.upstream.close();
    await deps.database.close();
  }
}

function show({ sections, code }: Outcome): number {
  process.stdout.write(presentSections(sections));
  return code;
}

function textOf(error: unknown): string {
  if (error instanceof AppError)
    return (['zh', 'en'] as const).map((language) => wordsOf(error, language)).join(' ');
  if (error instanceof ProviderError) return `${error.provider}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

/** An operator is to know the setting by its name. */
function wordsOf({ code, params }: AppError, language: Language): string {
  const key = code === 'not_configured' ? 'notConfigured.setting' : `errors.${code}`;
  return translate(language, key, params);
}

/** By way of `process.exit`, so that what was started and half written goes too. */
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

try {
  process.exit(await main());
} catch (error) {
  process.stderr.write(`${textOf(error)}\n`);
  process.exit(error instanceof UsageError ? 2 : 1);
}
