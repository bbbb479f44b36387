import type { BaseDeps } from '#server/base-deps.ts';
import { publishCredits } from '#server/credits/publish-credits.ts';
import { isConnectionLost } from '#server/platform/database/database-errors.ts';
import { composeInterruptedCosts } from '../costs/compose-interrupted-costs.ts';
import { type ComposedCost, composeAnswerCost } from '../costs/cost-rules.ts';
import { publishMessage } from '../message-store/publish-news.ts';
import { findMessages } from '../message-store/store.ts';
import { countAnswer } from './close-run.ts';
import { publishEvents } from './remote-feeds.ts';
import type { Run } from './run.ts';
import { deleteDeadInstances, interruptRunning, type RunningRow, selectRunning } from './run-store.ts';

const REAP_MS = 4_000;
const INSTANCE_HOURS = 1;
/** Users whose messages are closed at once; each takes a connection. */
const USERS_AT_ONCE = 4;

/**
 * Closes the messages of instances that are gone, and compares what this process runs with what the tables say: a message
 * that was taken from us is dropped, one that we lost is released, a stop whose notification was lost is obeyed. It takes from
 * others only while its own heartbeats have succeeded for half a lease, so that an outage of the database ends no run.
 */
export class Reaper {
  private readonly deps: Pick<
    BaseDeps,
    'config' | 'database' | 'bus' | 'clock' | 'log' | 'metrics' | 'instance' | 'models'
  >;
  private readonly runs: ReadonlyMap<string, Run>;
  private timer: NodeJS.Timeout | undefined;
  private passing: Promise<void> | null = null;

  constructor(deps: Reaper['deps'], runs: ReadonlyMap<string, Run>) {
    this.deps = deps;
    this.runs = runs;
  }

  start() {
    this.timer = setInterval(() => this.pass(), REAP_MS);
    this.deps.instance.onLeaseDoubt(() => this.pass());
  }

  close() {
    clearInterval(this.timer);
  }

  /** One pass now. Never rejects. */
  pass(): Promise<void> {
    this.passing ??= this.look()
      .catch((err) => this.deps.log.warn({ err }, 'looking for interrupted answers failed; trying again'))
      .finally(() => {
        this.passing = null;
      });
    return this.passing;
  }

  /**
   * Ends these messages as interrupted, whichever process runs them, and publishes it. Each user's in a transaction of their own, so that
   * what one has to wait for, or what fails, holds up no other. Rejects where the database is away.
   */
  async interrupt(messages: readonly Pick<RunningRow, 'id' | 'userId'>[]): Promise<void> {
    const users = Map.groupBy(messages, ({ userId }) => userId).values();
    const work = async () => {
      for (const ofUser of users) {
        const ids = ofUser.map(({ id }) => id);
        await this.interruptOfUser(ids).catch((err) => {
          if (isConnectionLost(err)) throw err;
          this.deps.log.error({ err, messageIds: ids }, 'interrupted answers could not be released yet');
        });
      }
    };
    await Promise.all(Array.from({ length: USERS_AT_ONCE }, work));
  }

  private async interruptOfUser(ids: string[]): Promise<void> {
    const { database, bus, clock, log } = this.deps;
    const costs = await this.composeCosts(ids);
    const ended = await interruptRunning(database.sql, ids, costs, clock.databaseTime());
    if (ended.length === 0) return;
    const endedIds = ended.map(({ id }) => id);
    log.warn({ messageIds: endedIds }, 'interrupted answers were closed and released');
    publishEvents(bus, endedIds);
    for (const message of await findMessages(database.sql, endedIds)) {
      countAnswer(this.deps, message);
      this.runs.get(message.id)?.feed.end(message);
      publishMessage(bus, message);
    }
    for (const { userId, balance } of ended) publishCredits(bus, userId, balance);
  }

  /** What messages cost us so far: of our own runs as it was counted, of others an estimate. */
  private async composeCosts(ids: readonly string[]): Promise<Map<string, ComposedCost>> {
    const isCounted = ({ isAsked, uses }: Run) => !isAsked || uses.length > 0;
    const counted = new Map(
      ids
        .flatMap((id) => this.runs.get(id) ?? [])
        .filter(isCounted)
        .map((run) => [run.message.id, run]),
    );
    const costs = await composeInterruptedCosts(
      this.deps,
      ids.filter((id) => !counted.has(id)),
    );
    for (const [id, run] of counted)
      if (run.isAsked) costs.set(id, composeAnswerCost(run, this.deps.clock.now()));
    return costs;
  }

  private async look() {
    const { database, clock, instance } = this.deps;
    const lookedAt = performance.now();
    const rows = await selectRunning(database.sql, instance.id, instance.leaseMs, clock.databaseTime());
    const own = new Set(rows.filter((row) => row.isOwn).map((row) => row.id));
    for (const row of rows) if (row.isOwn && row.isStopRequested) this.runs.get(row.id)?.stop('stopped');
    const isTaken = (run: Run) => run.startedAt < lookedAt && !run.isClosing && !own.has(run.message.id);
    await Promise.all([...this.runs.values()].filter(isTaken).map((run) => this.dropTaken(run)));
    await this.interrupt(rows.filter((row) => this.isForfeit(row)));
    await deleteDeadInstances(database.sql, INSTANCE_HOURS);
  }

  private isForfeit(row: RunningRow): boolean {
    const { leaseMs, steadyMs } = this.deps.instance;
    if (row.isOwn) return !this.runs.has(row.id) && row.ageMs > leaseMs;
    return row.isDead && steadyMs() >= leaseMs / 2;
  }

  private async dropTaken(run: Run) {
    const [message] = await findMessages(this.deps.database.sql, [run.message.id]);
    if (run.isClosing || message?.status === 'running') return;
    this.deps.log.warn({ messageId: run.message.id }, 'another process has ended a message of ours');
    run.stop('lost');
    if (message) run.feed.end(message);
    else run.feed.lose();
  }
}
