import type { Executor } from '#server/platform/database/database.ts';

/** What is compared: one model, plan or feature, or all together. */
export type Grouping = 'model' | 'plan' | 'feature' | 'all';

/** Sums of pico-dollars are whole numbers as text. */
export interface MarginSums {
  grouping: Grouping;
  /** The model, the plan (`free` without one) or the feature of the line; null: all. */
  name: string | null;
  answers: number;
  credits: number;
  revenue: string;
  cost: string;
  /** What of the cost is estimated. */
  estimated: string;
  /** Answers, titles and follow-ups whose cost is not known. */
  unknown: number;
}

/** The first moment, and the first one after the last. */
export interface Period {
  from: Date;
  to: Date;
}

/**
 * What was earned and paid for the answers that ended in a period. A credit is worth the price of its order divided by the credits of
 * its grant, and nothing where it was given; what else was written beside an answer counts for the answer's model and plan, under a
 * feature of its own. `isPaid`: of users who had a plan, alone.
 */
export async function selectMargin(
  sql: Executor,
  { from, to }: Period,
  isPaid: boolean,
): Promise<MarginSums[]> {
  return sql<MarginSums[]>`
    with costs as materialized (
           select user_id, message_id, kind, model, coalesce(plan_key, 'free') as plan, is_estimate, cost_pico_usd,
                  case when kind <> 'answer' then kind when features = '{}' then 'text'
                       else array_to_string(features, '+') end as feature
             from provider_costs
            where at >= ${from} and at < ${to} and (plan_key is not null or not ${isPaid})),
         holds as (
           select user_id, message_id, message_id as hold_id from costs where kind = 'answer'
           union all
           select c.user_id, c.message_id, h.id
             from costs c join credit.hold h on h.user_id = c.user_id and h.of_hold = c.message_id
            where c.kind = 'answer'),
         spent as (
           select h.user_id, h.message_id, t.bucket_id,
                  sum(case t.dst when 'spent' then t.amount else -t.amount end) as credits
             from holds h join credit.transfer t
                  on t.user_id = h.user_id and t.hold_id = h.hold_id and 'spent' in (t.src, t.dst)
            group by h.user_id, h.message_id, t.bucket_id),
         earned as (
           select s.user_id, s.message_id, sum(s.credits) as credits,
                  sum(s.credits * o.price_minor * 1e10::numeric(40, 20) / b.amount) as revenue
             from spent s join credit.bucket b on b.id = s.bucket_id
                  left join billing.orders o on o.id = b.order_id and o.currency = 'USD'
            group by s.user_id, s.message_id)
    select case grouping(model, plan, feature)
             when 3 then 'model' when 5 then 'plan' when 6 then 'feature' else 'all' end as grouping,
           coalesce(model, plan, feature) as name,
           count(*) filter (where kind = 'answer')::int as answers,
           coalesce(sum(e.credits), 0)::float8 as credits,
           round(coalesce(sum(e.revenue), 0))::text as revenue,
           coalesce(sum(cost_pico_usd), 0)::text as cost,
           coalesce(sum(cost_pico_usd) filter (where is_estimate), 0)::text as estimated,
           count(*) filter (where cost_pico_usd is null)::int as unknown
      from costs c left join earned e on c.kind = 'answer' and e.user_id = c.user_id and e.message_id = c.message_id
     group by grouping sets ((model), (plan), (feature), ())
     order by 1, sum(cost_pico_usd) desc nulls last, 2`;
}

/** Other currencies than US dollars in which plans were sold: what their credits were worth is not counted. */
export async function selectOtherCurrencies(sql: Executor): Promise<string[]> {
  const rows = await sql<{ currency: string }[]>`
    select distinct currency from billing.orders where currency <> 'USD' and paid_at is not null order by 1`;
  return rows.map(({ currency }) => currency);
}
