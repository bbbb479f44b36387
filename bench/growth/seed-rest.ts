import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import type { Sql } from 'postgres';
import type { SeededUsers } from '../streams/seed-users.ts';
import type { WorldSize } from './seed-world.ts';

export const PASSWORD = 'violet tram 1863';
/** Parameters of the product's smallest setting: what is measured is what a sign-in reads, not the hash. */
const HASHING = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** So many messages of the heavy user to one file, to one order of theirs. */
const TO_A_FILE = 20;
const TO_AN_ORDER = 100;
const CAP = 100_000_000;
const REST_COST = 1;

/**
 * What is beside messages: requests of the API with a capped key, files of the longest conversation, orders of everybody with what the
 * provider said of them, passwords, and an operator. Past the triggers, with what they count.
 */
export async function seedRest(
  sql: Sql,
  { ids }: Pick<SeededUsers, 'ids'>,
  { heavy }: WorldSize,
  { heavyId, conversation, operatorId }: { heavyId: string; conversation: string; operatorId: string },
): Promise<void> {
  const password = await hash(PASSWORD, HASHING);
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`set local statement_timeout = 0`;
    const on = tx as unknown as Sql;
    await writeRequests(on, heavyId, heavy);
    await writeFiles(on, { heavyId, conversation, count: Math.ceil(heavy / TO_A_FILE) });
    await writeTrade(on, ids, { heavyId, count: Math.ceil(heavy / TO_AN_ORDER) });
    await tx`
      insert into identities (id, user_id, provider_id, account_id, password)
      select gen_random_uuid(), id, 'credential', id, ${password} from unnest(${ids}::uuid[]) as id`;
    await tx`insert into operators (user_id, made_at) values (${operatorId}, now())`;
    await tx`
      insert into second_factors (user_id, secret, totp_counter, recovery_salt, created_at)
      values (${operatorId}, 'bench', 0, ${randomBytes(16)}, now())`;
  });
  await sql`vacuum analyze`.simple();
  await sql`checkpoint`.simple();
}

/** As many as the user sent in the browser, all of this month. */
async function writeRequests(sql: Sql, userId: string, count: number): Promise<void> {
  await sql`update api_keys set monthly_cap = ${CAP} where user_id = ${userId}`;
  await sql`
    with sent as (
      insert into messages (id, user_id, model, content, response, status, cost, credits_used, owner, end_seq, created_at, ended_at, erased_at)
      select gen_random_uuid(), ${userId}, 'parley-flash', '', '', 'completed', ${REST_COST}, ${REST_COST}, gen_random_uuid(), 2, at, at, at
        from generate_series(1, ${count}::int) n,
             lateral (select now() - (now() - date_trunc('month', now())) * (n::float8 / ${count}::int) as at) moment
      returning id, created_at)
    insert into api_requests (message_id, user_id, key_id, body_hash, prompt_tokens, is_fresh, created_at)
    select s.id, k.user_id, k.id, sha256(s.id::text::bytea), 1, false, s.created_at
      from sent s, api_keys k where k.user_id = ${userId}`;
  await sql`
    insert into api_key_months (user_id, key_id, month, credits)
    select user_id, key_id, date_trunc('month', created_at at time zone 'UTC')::date, count(*) * ${REST_COST}::int
      from api_requests group by 1, 2, 3`;
}

async function writeFiles(
  sql: Sql,
  { heavyId, conversation, count }: { heavyId: string; conversation: string; count: number },
): Promise<void> {
  await sql`
    with kept as (
      insert into files (id, user_id, conversation_id, name, bytes, received, state, storage, type, sha256, tokens, has_text, text_bytes,
                         every_turn, created_at, named_at, named_n)
      select gen_random_uuid(), ${heavyId}, ${conversation}, 'notes.txt', 12, 12, 'ready', 'database', 'text/plain', sha256('notes'), 4,
             true, 12, false, now(), now() - n * interval '1 minute', 1 from generate_series(1, ${count}::int) n returning id)
    insert into file_chunks (file_id, part, start, length, bytes)
    select id, part, 0, 12, 'notes of 12.' from kept, unnest('{content,text}'::text[]) part`;
  await sql`insert into file_usage (user_id, bytes) select user_id, sum(bytes) from files group by 1`;
}

/** One order of each user, and `count` more of the heavy one, paid within a year. */
async function writeTrade(
  sql: Sql,
  ids: readonly string[],
  { heavyId, count }: { heavyId: string; count: number },
): Promise<void> {
  const buyers = [...ids, ...Array.from({ length: count }, () => heavyId)];
  await sql`insert into billing.account (user_id) select distinct id from unnest(${buyers}::uuid[]) as id on conflict do nothing`;
  await sql`
    insert into billing.orders (id, user_id, provider, product_id, plan_key, cycle, price_minor, currency, credits, status, paid_at, created_at)
    select gen_random_uuid(), id, 'creem', 'bench', 'gemini_pro', 'monthly', 1190, 'USD', 1500, 'paid', at, at
      from unnest(${buyers}::uuid[]) with ordinality as b (id, n),
           lateral (select now() - interval '300 days' * (n::float8 / ${buyers.length}::int) as at) moment order by at`;
  await sql`
    insert into billing.facts (provider, user_id, kind, subject, fact, digest, source, observed_at)
    select 'creem', user_id, 'payment', id::text,
           said || jsonb_build_object('kind', 'payment', 'transactionId', id, 'amountMinor', 1190, 'netMinor', 1190, 'currency', 'USD',
             'paidAt', paid_at, 'match', 'told'),
           sha256(id::text::bytea), 'webhook', created_at from ${tradeOf(sql)}
    union all
    select 'creem', user_id, 'subscription', 'sub_' || id,
           said || jsonb_build_object('kind', 'subscription', 'status', 'expired', 'rank', 0, 'cancelAt', paid_at + interval '1 month', 'updatedAt', paid_at),
           sha256(convert_to('sub_' || id, 'UTF8')), 'webhook', created_at from ${tradeOf(sql)}`;
  await sql`
    insert into billing.inbox (provider, dedupe_key, type, raw, headers, received_at, status, next_try_at, done_at, user_id)
    select 'creem', id::text, 'checkout.completed', convert_to(repeat('bench ', 300), 'UTF8'), '{}', created_at, 'done', created_at,
           created_at, user_id from billing.orders order by created_at`;
}

/** Orders with what all facts about one of them say: a subscription of one period, which has ended. */
function tradeOf(sql: Sql) {
  return sql`(select id, user_id, created_at, paid_at,
      jsonb_build_object('mode', null, 'orderId', id, 'customerId', null, 'customerEmail', user_id || '@bench.example',
        'productId', product_id, 'subscriptionId', 'sub_' || id, 'periodStart', paid_at, 'periodEnd', paid_at + interval '1 month') as said
    from billing.orders) as trade`;
}
