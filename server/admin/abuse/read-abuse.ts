import type { AbuseScreen, SignUpGroup } from '#contract/admin/abuse.ts';
import { DAY_MS, dayOf } from '#contract/time.ts';
import { hashNetwork } from '#server/accounts/abuse/normalise-email.ts';
import type { Deps } from '#server/deps.ts';
import { neighbourhoodOf } from '#server/platform/client-ip.ts';
import {
  type GroupRow,
  selectDeclined,
  selectFileUsers,
  selectFreeMessages,
  selectSignUpNetworks,
  selectSignUps,
  selectTriedAddresses,
} from './abuse-store.ts';

const DAYS = 7;
/** Fewer are mistyped passwords, and cards that a payer tried once more. */
const MIN_TRIES = 10;
const MIN_DECLINES = 2;
const MAX_NETWORKS = 1_000;

/** Signs of abuse: what the last seven days, and today's counts of what is limited, show. Nothing of it is what a user wrote. */
export async function readAbuse(deps: Pick<Deps, 'config' | 'database' | 'clock'>): Promise<AbuseScreen> {
  const { sql } = deps.database;
  const { unansweredPerDay, unchargedPerDay } = deps.config.limits;
  const now = deps.clock.now();
  const since = new Date(now.getTime() - DAYS * DAY_MS);
  const networks = await selectSignUps(sql, since, 'network');
  const domains = await selectSignUps(sql, since, 'domain');
  const names = await nameNetworks(deps);
  const limits = { unanswered: unansweredPerDay, uncharged: unchargedPerDay };
  const tried = await selectTriedAddresses(sql, MIN_TRIES);
  const declines = await selectDeclined(sql, since, MIN_DECLINES);
  return {
    since: since.getTime(),
    networks: networks.map(({ key, ...group }) => ({
      ...presentGroup(group),
      hash: key,
      name: names.get(key) ?? null,
    })),
    domains: domains.map(({ key, ...group }) => ({ ...presentGroup(group), domain: key })),
    freeMessages: {
      unansweredLimit: limits.unanswered,
      unchargedLimit: limits.uncharged,
      users: await selectFreeMessages(sql, dayOf(now), limits),
    },
    signIns: tried.map(({ since: begin, ...row }) => ({ ...row, since: begin.getTime() })),
    declines: declines.map(({ lastAt, ...row }) => ({ ...row, lastAt: lastAt.getTime() })),
    files: await selectFileUsers(sql, since),
  };
}

function presentGroup({ newestId, newestEmail, ...group }: Omit<GroupRow, 'key'>): SignUpGroup {
  return { ...group, newest: { userId: newestId, email: newestEmail } };
}

/** Networks by their hashes, as far as a count of sign-ups still names them: for a day. */
async function nameNetworks({ config, database }: Pick<Deps, 'config' | 'database'>) {
  const networks = await selectSignUpNetworks(database.sql, MAX_NETWORKS);
  return new Map(
    networks.map((network) => {
      const name = neighbourhoodOf(network.replace(/\/\d+$/, ''));
      return [hashNetwork(config.authSecret, name).toString('hex'), name];
    }),
  );
}
