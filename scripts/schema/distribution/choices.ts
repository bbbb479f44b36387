import type { Choice } from './plan-distribution.ts';

const reference = (why: string): Choice => ({ place: 'reference', why });
const local = (why: string): Choice => ({ place: 'local', why });

/** The tables that belong to no user, or are about several. */
export const CHOICES: Record<string, Choice> = {
  'public.address_grants': reference('a row for each mailbox, written once a month for each'),
  'public.domain_grants': reference('a row for each domain and day'),
  'public.network_grants': reference('a row for each network and day'),
  'public.model_prices': reference('a row for each price that an operator set, which each process keeps'),
  'public.paused_models': reference('a row for each paused model, which each send reads'),
  'billing.audit': local('acts of operators'),
  'billing.inbox': local('webhooks, before it is known whom they concern'),
  'billing.proposals': local('acts of operators that wait'),
  'billing.reviews': local('six rows, of the providers'),
  'credit.checking': local('one row, the place of the check'),
  'public.file_removals': local('a queue of what lies outside'),
  'public.instances': local('a row for each process, renewed by it'),
  'public.mails': local('a queue'),
  'public.operator_alerts': local('of the operator'),
  'public.passkey_challenges': local('minutes old, and mostly of no user yet'),
  'public.rate_limits': local('counts by keys of all kinds'),
  'public.schema_functions': local('of the database itself'),
  'public.schema_migrations': local('of the database itself'),
  'public.verifications': local('minutes to hours old, found by what a mail holds'),
};
