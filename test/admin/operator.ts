import type { Sql } from 'postgres';

/** Lets a user use the console: as the command line does, and with two-step verification on. */
export async function makeOperator(sql: Sql, userId: string): Promise<void> {
  await sql`insert into operators (user_id, made_at) values (${userId}, now())`;
  await sql`
    insert into second_factors (user_id, secret, totp_counter, recovery_salt, created_at)
    values (${userId}, 'sealed', 0, decode(repeat('00', 16), 'hex'), now())`;
}
