import type { Deps } from '#server/deps.ts';
import { readAbuse } from './abuse/read-abuse.ts';
import { done, type Outcome, type Run } from './act-commands.ts';
import { requireUser } from './billing-records/require-user.ts';
import { type CommandName, parseOption } from './parse-command.ts';
import { presentAbuse } from './present-abuse.ts';
import { presentMore } from './present-sections.ts';
import { presentToday } from './present-today.ts';
import { auditCursorSchema, listAudit } from './screens/list-audit.ts';
import { failureCursorSchema, listFailures } from './screens/list-failures.ts';
import { listPersonalData } from './screens/list-personal-data.ts';
import { readToday } from './screens/read-today.ts';
import { searchUsers } from './screens/search-users.ts';

/** Commands that show what the console's screens about users and the product's work show. */
export const PEOPLE_COMMANDS = {
  today,
  users: showUsers,
  abuse: showAbuse,
  failures: showFailures,
  'personal-data': showPersonalData,
  audit: showAudit,
} satisfies Partial<Record<CommandName, Run>>;

async function today(deps: Deps): Promise<Outcome> {
  const shown = await readToday(deps);
  return { sections: presentToday(shown), code: shown.alerts.length > 0 || shown.drift > 0 ? 1 : 0 };
}

async function showUsers(...[deps, { positionals }]: Parameters<Run>): Promise<Outcome> {
  const users = await searchUsers(deps, positionals[0] ?? '');
  const rows = users.map(({ id, email, name, createdAt, lastSignInAt, isLeaving }) => ({
    id,
    email,
    name,
    createdAt: new Date(createdAt),
    lastLoginAt: new Date(lastSignInAt),
    leaving: isLeaving,
  }));
  return done([{ title: '用户 Users', rows }]);
}

const NO_NAMES =
  '没有 AUTH_SECRET，注册所在的网络只能显示编号。AUTH_SECRET is missing: networks are shown by a code instead of their addresses.';

async function showAbuse(deps: Deps): Promise<Outcome> {
  const sections = presentAbuse(await readAbuse(deps));
  return done(deps.config.authSecret === '' ? [...sections, NO_NAMES] : sections);
}

async function showFailures(...[deps, command]: Parameters<Run>): Promise<Outcome> {
  const cursor = parseOption(command.name, '--cursor', command.cursor, failureCursorSchema);
  const { failures, nextCursor } = await listFailures(deps, cursor);
  const rows = failures.map(({ endedAt, status, code, fault, upstreamModel, ...failure }) => ({
    at: new Date(endedAt),
    status,
    code,
    fault,
    model: failure.model,
    upstream: upstreamModel,
    user: failure.userId,
    message: failure.messageId,
    released: failure.released,
    via: failure.viaApi ? 'api' : 'chat',
  }));
  return done([{ title: '失败的回答 Answers that failed', rows }, ...presentMore(nextCursor)]);
}

async function showPersonalData(deps: Deps): Promise<Outcome> {
  const { exports, deletions } = await listPersonalData(deps);
  return done([
    {
      title: '注销 Deletions',
      rows: deletions.map(({ userId, askedAt, tries, nextTryAt, error }) => ({
        user: userId,
        asked_at: new Date(askedAt),
        tries,
        next_try_at: new Date(nextTryAt),
        error,
      })),
    },
    {
      title: '导出 Exports',
      rows: exports.map(({ userId, state, requestedAt, tries, error }) => ({
        user: userId,
        state,
        asked_at: new Date(requestedAt),
        tries,
        error,
      })),
    },
  ]);
}

async function showAudit(...[deps, command]: Parameters<Run>): Promise<Outcome> {
  const { name, by, act, user } = command;
  const cursor = parseOption(name, '--cursor', command.cursor, auditCursorSchema);
  const userId = user === null ? null : (await requireUser(deps, user)).id;
  const { lines, nextCursor } = await listAudit(deps, { actor: by, act, userId }, cursor);
  const rows = lines.map(({ id, at, actor, viaCommandLine, subject, reason, details, ...line }) => ({
    id,
    at: new Date(at),
    actor,
    via: viaCommandLine ? 'command line' : 'console',
    act: line.act,
    user: line.userId,
    subject,
    reason,
    details,
  }));
  return done([{ title: '操作记录 Audit log', rows }, ...presentMore(nextCursor)]);
}
