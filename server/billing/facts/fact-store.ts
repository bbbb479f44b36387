import type { Provider } from '#contract/choices.ts';
import type { Executor } from '#server/platform/database/database.ts';
import type { Fact } from '../providers/facts.ts';
import type { ExternalRef } from './external-ref-rules.ts';
import { parseFact } from './fact-rules.ts';

/** Where a fact comes from. */
export type FactSource = 'webhook' | 'question' | 'sweep' | 'operator';

export interface NewFact {
  provider: Provider;
  kind: Fact['kind'];
  subject: string;
  externalRefs: ExternalRef[];
  /** Canonical JSON. */
  fact: string;
  digest: Buffer;
  source: FactSource;
  inboxId: string | null;
  observedAt: Date;
}

export interface FactRow {
  id: string;
  provider: Provider;
  /** Null: unattributed, or ambiguous. */
  userId: string | null;
  externalRefs: ExternalRef[];
  isAmbiguous: boolean;
  fact: Fact;
  /** The digest of the fact as it came, in hexadecimal: the buyer may have been erased since. */
  digest: string;
}

type Stored = Omit<FactRow, 'fact'> & { fact: Record<string, unknown> };

const columns = (sql: Executor) =>
  sql`id, provider, user_id as "userId", external_refs as "externalRefs", is_ambiguous as "isAmbiguous", fact,
      encode(digest, 'hex') as digest`;

function revive(rows: readonly Stored[]): FactRow[] {
  return rows.map((row) => ({ ...row, fact: parseFact(row.fact) }));
}

/** Lets one transaction at a time link facts of a provider to users: two facts that belong together see each other. */
export async function lockFacts(tx: Executor, provider: Provider): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`facts:${provider}`}, 0))`;
}

/** Stores what is not known yet. */
export async function insertFacts(tx: Executor, facts: readonly NewFact[]): Promise<void> {
  const rows = facts.map((each) => ({
    ...each,
    digest: each.digest.toString('hex'),
    fact: JSON.parse(each.fact),
  }));
  await tx`
    insert into billing.facts (provider, kind, subject, external_refs, fact, digest, source, inbox_id, observed_at)
    select provider, kind, subject, array(select jsonb_array_elements_text("externalRefs")), fact, decode(digest, 'hex'), source,
           "inboxId", "observedAt"
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
        as new (provider text, kind text, subject text, "externalRefs" jsonb, fact jsonb, digest text, source text,
                "inboxId" bigint, "observedAt" timestamptz)
    on conflict (provider, digest) do nothing`;
}

/** The facts with these digests. */
export async function selectFactsByDigest(
  sql: Executor,
  provider: Provider,
  digests: readonly Buffer[],
): Promise<FactRow[]> {
  const hex = digests.map((digest) => digest.toString('hex'));
  return revive(
    await sql<Stored[]>`
      select ${columns(sql)} from billing.facts
       where provider = ${provider} and digest in (select decode(each, 'hex') from unnest(${hex}::text[]) each)
       order by id`,
  );
}

/** All facts of one user. */
export async function selectFactsOfUser(sql: Executor, userId: string): Promise<FactRow[]> {
  return revive(
    await sql<Stored[]>`select ${columns(sql)} from billing.facts where user_id = ${userId} order by id`,
  );
}

/** Unattributed facts that name one of these ids. */
export async function selectUnattributedFacts(
  tx: Executor,
  provider: Provider,
  refs: readonly ExternalRef[],
): Promise<FactRow[]> {
  return revive(
    await tx<Stored[]>`
      select ${columns(tx)} from billing.facts
       where user_id is null and external_refs && ${refs}::text[] and provider = ${provider}
       order by id`,
  );
}

/** The users of these ids, by our orders and by earlier facts. */
export async function selectOwners(
  sql: Executor,
  provider: Provider,
  refs: readonly ExternalRef[],
): Promise<Map<ExternalRef, string>> {
  const rows = await sql<{ ref: ExternalRef; userId: string }[]>`
    with named as (select ref, split_part(ref, ':', 1) as kind, substr(ref, strpos(ref, ':') + 1) as id
                     from unnest(${refs}::text[]) ref)
    select ref, user_id as "userId" from named join billing.orders o
        on o.id = case named.kind when 'order' then named.id::uuid end
    union
    select ref, user_id from named join billing.orders o
        on named.kind = 'checkout' and o.provider = ${provider} and o.checkout_id = named.id
    union all
    select ref, user_id from named join billing.external_refs h
        on h.provider = ${provider} and h.kind = named.kind and h.id = named.id`;
  return new Map(rows.map(({ ref, userId }) => [ref, userId]));
}

/** What is known of these charges and of their refunds, whoever they belong to. */
export async function selectChargesAndRefunds(
  sql: Executor,
  provider: Provider,
  transactionIds: readonly string[],
): Promise<Fact[]> {
  const rows = await sql<Stored[]>`
    select ${columns(sql)} from billing.facts
     where provider = ${provider} and kind in ('payment', 'refund') and fact->>'transactionId' = any(${[...transactionIds]}::text[])`;
  return revive(rows).map(({ fact }) => fact);
}

/** The addresses under which the user bought as a customer of a provider: on its page another one may be typed than the order's. */
export async function selectCustomerEmails(
  sql: Executor,
  userId: string,
  provider: Provider,
  customerId: string,
): Promise<string[]> {
  const rows = await sql<{ email: string }[]>`
    select distinct lower(fact->>'customerEmail') as email from billing.facts
     where user_id = ${userId} and provider = ${provider} and kind = 'subscription'
       and fact->>'customerId' = ${customerId} and fact->>'customerEmail' is not null`;
  return rows.map(({ email }) => email);
}

/** True when a subscription of another user was bought under the address. */
export async function hasOtherBuyer(
  sql: Executor,
  userId: string,
  provider: Provider,
  email: string,
): Promise<boolean> {
  const rows = await sql`
    select from billing.facts
     where provider = ${provider} and kind = 'subscription' and lower(fact->>'customerEmail') = lower(${email})
       and user_id <> ${userId} limit 1`;
  return rows.length > 0;
}

/** Gives facts to a user. */
export async function updateFactOwner(tx: Executor, ids: readonly string[], userId: string): Promise<void> {
  await tx`update billing.facts set user_id = ${userId}, is_ambiguous = false where id = any(${ids}::bigint[])`;
}

/** Marks facts whose ids lead to several users. */
export async function updateAmbiguous(tx: Executor, ids: readonly string[]): Promise<void> {
  await tx`update billing.facts set is_ambiguous = true where id = any(${ids}::bigint[]) and not is_ambiguous`;
}

/** Remembers that these ids lead to the user. */
export async function insertExternalRefs(
  tx: Executor,
  provider: Provider,
  refs: readonly ExternalRef[],
  userId: string,
): Promise<void> {
  await tx`
    insert into billing.external_refs (provider, kind, id, user_id)
    select ${provider}, split_part(ref, ':', 1), substr(ref, strpos(ref, ':') + 1), ${userId}
      from unnest(${refs}::text[]) ref
    on conflict do nothing`;
}

/** Charges of these orders that name no subscription, the latest first. */
export async function selectUnboundCharges(
  sql: Executor,
  provider: Provider,
  orderIds: readonly string[],
): Promise<Fact[]> {
  const rows = await sql<Stored[]>`
    select ${columns(sql)} from billing.facts
     where provider = ${provider} and kind = 'payment' and user_id is not null and fact->>'orderId' = any(${[...orderIds]}::text[])
       and fact->>'subscriptionId' is null and fact->>'match' <> 'inferred'
     order by id desc limit 5`;
  return revive(rows).map(({ fact }) => fact);
}
