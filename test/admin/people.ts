import type { Shop } from '../billing/shop.ts';
import { makeOperator } from './operator.ts';

export type Person = Awaited<ReturnType<Shop['buyer']>>;

/** Two operators and a user, all of them new. */
export async function openPeople(shop: Shop): Promise<[Person, Person, Person]> {
  const people = await Promise.all([shop.buyer(), shop.buyer(), shop.buyer()]);
  for (const { userId } of people.slice(0, 2)) await makeOperator(shop.sql, userId);
  return people;
}
