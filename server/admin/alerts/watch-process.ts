import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { AlertKind } from '#contract/admin/alerts.ts';
import { PROVIDER_NAME, type Provider } from '#contract/choices.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { countDrift } from '#server/credits/verify-ledger.ts';
import type { Deps } from '#server/deps.ts';
import { diskAlert, type FoundAlert, isFailing } from './alert-rules.ts';
import { selectAlerts, selectHeardProviders } from './alert-store.ts';
import { compareReadings } from './compare-readings.ts';

type WatchDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'metrics'>;

export interface ProcessWatch {
  /** What this process finds at itself now; called once a minute. */
  find(): Promise<FoundAlert[]>;
}

const HOUR_MINUTES = 60;
const REQUEST_MINUTES = 5;
const FAILED_SHARE = 0.05;
const REFUSED_WEBHOOKS = 3;
/** Users named in the alert of a ledger, so that another process can go on looking at them. */
const MAX_NAMED = 20;

/** Watches what one process knows and no other: its counters, its disk, and the ledgers of `faultyUsers`, given by `startCreditJobs`. */
export function watchProcess(deps: WatchDeps, faultyUsers: Set<string>): ProcessWatch {
  const looks = [
    watchUpstream(deps),
    watchRequests(deps),
    watchSignatures(deps),
    watchPaymentKeys(deps),
    () => findDrift(deps, faultyUsers),
    () => findDisk(deps),
  ];
  return {
    async find() {
      const found = await Promise.all(looks.map((look) => look()));
      return found.flat();
    },
  };
}

/** What only an operator can mend at a model provider. */
function watchUpstream({ metrics }: WatchDeps) {
  const compare = compareReadings(1);
  return async (): Promise<FoundAlert[]> => {
    const { values } = await metrics.upstreamAlerts.get();
    const grown = compare(values.map(({ labels, value }) => [`${labels.alert} ${labels.model}`, value]));
    return [...grown.keys()].map((key) => {
      const space = key.indexOf(' ');
      return { kind: key.slice(0, space) as AlertKind, subject: key.slice(space + 1), details: {} };
    });
  };
}

function watchRequests({ metrics }: WatchDeps) {
  const compare = compareReadings(REQUEST_MINUTES);
  return async (): Promise<FoundAlert[]> => {
    const { values } = await metrics.httpDuration.get();
    const counts = values.filter(({ metricName }) => metricName?.endsWith('_count'));
    const failed = counts.filter(({ labels }) => Number(labels.status) >= 500);
    const sum = (some: typeof counts) => some.reduce((all, { value }) => all + value, 0);
    const grown = compare([
      ['failed', sum(failed)],
      ['all', sum(counts)],
    ]);
    const [count, all] = [grown.get('failed') ?? 0, grown.get('all') ?? 0];
    if (!isFailing(count, all, FAILED_SHARE)) return [];
    return [{ kind: 'requests_failing', subject: hostname(), details: { count, all } }];
  };
}

/** Webhooks whose signature is wrong, while none is right: the secret has changed, or only a forger calls. */
function watchSignatures({ database, clock, metrics }: WatchDeps) {
  const compare = compareReadings(HOUR_MINUTES);
  return async (): Promise<FoundAlert[]> => {
    const { values } = await metrics.webhooksRefused.get();
    const grown = compare(values.map(({ labels, value }) => [String(labels.provider), value]));
    const many = [...(grown as Map<Provider, number>)].filter(([, count]) => count >= REFUSED_WEBHOOKS);
    if (many.length === 0) return [];
    const since = new Date(clock.now().getTime() - HOUR_MINUTES * MINUTE_MS);
    const heard = await selectHeardProviders(database.sql, since);
    return many
      .filter(([provider]) => !heard.includes(provider))
      .map(([provider, count]) => ({
        kind: 'webhook_signature',
        subject: PROVIDER_NAME[provider],
        details: { count },
      }));
  };
}

/** Payment providers that do not accept our key: some process asks each of them several times a minute. */
function watchPaymentKeys({ metrics }: WatchDeps) {
  const compare = compareReadings(1);
  return async (): Promise<FoundAlert[]> => {
    const { values } = await metrics.paymentKeysRefused.get();
    const grown = compare(values.map(({ labels, value }) => [String(labels.provider), value]));
    return [...(grown as Map<Provider, number>).keys()].map((provider) => ({
      kind: 'payment_key_refused',
      subject: PROVIDER_NAME[provider],
      details: {},
    }));
  };
}

/** Faults in ledgers, also in those that another process, or this one before it was started again, has named. */
async function findDrift({ database }: WatchDeps, faultyUsers: Set<string>): Promise<FoundAlert[]> {
  for (const { kind, details } of await selectAlerts(database.sql)) {
    const named = kind === 'ledger_drift' ? String(details.userIds).split(' ') : [];
    for (const userId of named) faultyUsers.add(userId);
  }
  const faults = await countDrift({ database }, faultyUsers);
  if (faults === 0) return [];
  const userIds = [...faultyUsers].slice(0, MAX_NAMED).join(' ');
  return [{ kind: 'ledger_drift', subject: '', details: { faults, users: faultyUsers.size, userIds } }];
}

/** Nothing where there is no such folder: whoever sets `DATABASE_URL` and `AUTH_SECRET` needs none. */
async function findDisk({ config }: WatchDeps): Promise<FoundAlert[]> {
  if (!existsSync(config.dataDir)) return [];
  const { bavail, blocks, bsize } = await statfs(config.dataDir);
  return diskAlert(hostname(), bavail * bsize, blocks * bsize);
}
