import type { Executor } from '#server/platform/database/database.ts';

/** Whether a user is an operator, and under which address; null: no. */
export async function findOperatorEmail(sql: Executor, userId: string): Promise<string | null> {
  const [row] = await sql<{ email: string }[]>`
    select u.email from operators o join users u on u.id = o.user_id where o.user_id = ${userId} and u.leaving_at is null`;
  return row?.email ?? null;
}

/** Holds an operator's row until the transaction ends, so that their acts are counted one after the other. False: they are none any more. */
export async function lockOperator(tx: Executor, userId: string): Promise<boolean> {
  const { count } = await tx`
    select from operators o join users u on u.id = o.user_id
     where o.user_id = ${userId} and u.leaving_at is null for update of o`;
  return count > 0;
}

/** Makes a user an operator. False: they were one. */
export async function insertOperator(tx: Executor, userId: string, at: Date): Promise<boolean> {
  return (
    (await tx`insert into operators (user_id, made_at) values (${userId}, ${at}) on conflict do nothing`)
      .count > 0
  );
}

/** False: they were none. */
export async function deleteOperator(tx: Executor, userId: string): Promise<boolean> {
  return (await tx`delete from operators where user_id = ${userId}`).count > 0;
}

export function selectOperators(sql: Executor) {
  return sql<{ email: string; made_at: Date; second_factor: string }[]>`
    select u.email, o.made_at, case when f.user_id is null then 'off' else 'on' end as second_factor
      from operators o join users u on u.id = o.user_id left join second_factors f on f.user_id = o.user_id order by u.email`;
}
