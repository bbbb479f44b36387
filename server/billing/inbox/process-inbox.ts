import { setTimeout as wait } from 'node:timers/promises';
import type { Provider } from '#contract/choices.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { backoffMs } from '#server/platform/jobs/worker.ts';
import { failTrace } from '#server/platform/telemetry/request-context.ts';
import { digestOfAll } from '../facts/fact-rules.ts';
import type { Fact } from '../providers/facts.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { applyFacts } from '../state/apply-facts.ts';
import type { ProjectDeps } from '../state/project-user.ts';
import {
  findSameWebhook,
  finishWebhook,
  type InboxRow,
  leaseWebhooks,
  postponeWebhook,
} from './inbox-store.ts';

/** Longer than reading one webhook can take, its questions to the provider included. */
const LEASE_MS = 90_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 15 * MINUTE_MS;
/** Then about six hours have passed. */
const MAX_TRIES = 36;
/** A provider that takes longer than this to complete a webhook is not waited for before it takes effect. */
const RESOLVE_TIMEOUT_MS = 1_500;

/** Takes webhooks of a provider that wait. */
export function leaseInbox(
  { database, clock }: Pick<ProjectDeps, 'database' | 'clock'>,
  provider: Provider,
  limit: number,
): Promise<InboxRow[]> {
  return leaseWebhooks(database.sql, provider, clock.now(), LEASE_MS, limit);
}

/**
 * Reads one webhook and applies its facts, completed by the provider. One that cannot be completed now takes effect as far
 * as it goes and is tried again; after `MAX_TRIES` it stays as `failed` before the operator. Rejects only without a database.
 */
export async function processInbox(deps: ProjectDeps, webhook: InboxRow): Promise<void> {
  const { database, clock, log } = deps;
  try {
    await readWebhook(deps, webhook);
  } catch (err) {
    failTrace(err);
    const { id, provider, type, tries } = webhook;
    const isOver = tries >= MAX_TRIES;
    const until = new Date(clock.now().getTime() + backoffMs(tries, FIRST_RETRY_MS, MAX_RETRY_MS));
    const about = { err, inboxId: id, provider, type, tries };
    if (isOver)
      log.error({ ...about, alert: 'webhooks_given_up' }, 'a webhook could not be read and is given up');
    else log.warn(about, 'a webhook could not be read in full and will be tried again');
    await postponeWebhook(database.sql, id, isOver ? null : until, messageOf(err));
  }
}

async function readWebhook(deps: ProjectDeps, { id, provider: name, raw }: InboxRow): Promise<void> {
  const { database, clock, providers } = deps;
  const provider = providers[name];
  if (!provider) throw new Error(`${name} is not configured any more`);
  const facts = provider.translate(raw);
  const digest = digestOfAll(facts);
  const source = { provider: name, source: 'webhook', inboxId: id } as const;
  const before = await findSameWebhook(database.sql, name, digest);
  const apply = (all: Fact[]) => applyFacts(deps, { ...source, facts: all });
  const owners = before ? null : await apply(await completeFacts(provider, facts, () => apply(facts)));
  const userId = before?.userId ?? owners?.userIds[0] ?? null;
  await finishWebhook(database.sql, id, { at: clock.now(), digest, userId, note: noteOf(facts) });
}

/** The facts with what the provider adds; `whenLate` is done first when that fails or takes long. */
async function completeFacts(
  provider: PaymentProvider,
  facts: Fact[],
  whenLate: () => Promise<unknown>,
): Promise<Fact[]> {
  const resolving = provider.resolve(facts).then(
    (completed) => ({ completed }),
    (error: unknown) => ({ error }),
  );
  const inTime = await Promise.race([resolving, wait(RESOLVE_TIMEOUT_MS, null, { ref: false })]);
  if (inTime === null || 'error' in inTime) await whenLate();
  const outcome = await resolving;
  if ('error' in outcome) throw outcome.error;
  return outcome.completed;
}

function noteOf(facts: readonly Fact[]): string | null {
  const notes = facts.flatMap((fact) => (fact.kind === 'unknown' ? [`${fact.type}: ${fact.reason}`] : []));
  return notes.length > 0 ? `not understood: ${notes.join('; ')}`.slice(0, 500) : null;
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}
