-- The tables of the database as they are today, for reading. Written by `npm run schema` and compared with a migrated database
-- in the tests: it is not edited. Functions, views and triggers have their texts in functions/.

-- One row a user who ever began a checkout: the lock under which facts are read and projected.
-- Lock order: this row, then credit.account.
CREATE TABLE billing.account (
  user_id uuid NOT NULL,
  -- Charges under dispute that an operator cleared, by payment key.
  cleared_disputes text[] NOT NULL DEFAULT '{}'::text[],
  -- A dispute is open: no new checkout.
  disputed boolean NOT NULL DEFAULT false,
  -- When time alone changes the projection next.
  next_change_at timestamptz,
  projected_at timestamptz,
  CONSTRAINT account_pkey PRIMARY KEY (user_id),
  CONSTRAINT account_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX account_changes ON billing.account (next_change_at) WHERE next_change_at IS NOT NULL;
CREATE INDEX accounts_disputed ON billing.account (user_id) WHERE disputed;

-- What an operator did. Append-only (audit_is_final).
CREATE TABLE billing.audit (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  -- The address of an operator at that time, or who used the command line.
  actor text NOT NULL,
  act text NOT NULL,
  user_id uuid,
  subject text,
  reason text NOT NULL,
  details jsonb NOT NULL DEFAULT '{}'::jsonb,
  at timestamptz NOT NULL,
  -- Chosen by who asked for the act: the same id again is the same act.
  act_id uuid,
  -- Null: done at the command line.
  operator_id uuid,
  CONSTRAINT audit_pkey PRIMARY KEY (id),
  CONSTRAINT audit_once UNIQUE (act_id),
  CONSTRAINT audit_act_check CHECK (act ~ '^[a-z][a-z0-9_]{0,39}$'),
  CONSTRAINT audit_actor_check CHECK (actor <> ''),
  CONSTRAINT audit_reason_check CHECK (reason <> '')
);
CREATE INDEX audit_models ON billing.audit (id) WHERE act = ANY (ARRAY['pause_model', 'resume_model', 'set_price', 'withdraw_price']);
CREATE INDEX audit_of_operator ON billing.audit (operator_id, at) WHERE operator_id IS NOT NULL;
CREATE INDEX audit_of_user ON billing.audit (user_id, id) WHERE user_id IS NOT NULL;
CREATE INDEX audit_refunds ON billing.audit (at) WHERE act = 'refund';
CREATE TRIGGER audit_is_final BEFORE DELETE OR UPDATE ON billing.audit FOR EACH ROW EXECUTE FUNCTION billing.refuse_audit_change();
CREATE TRIGGER audit_not_emptied BEFORE TRUNCATE ON billing.audit FOR EACH STATEMENT EXECUTE FUNCTION billing.refuse_audit_change();

-- Subscriptions that must not be charged again, until their provider confirms it.
CREATE TABLE billing.cancellations (
  provider text NOT NULL,
  subscription_id text NOT NULL,
  user_id uuid NOT NULL,
  period_end boolean NOT NULL,
  reason text NOT NULL,
  asked_at timestamptz NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL,
  done_at timestamptz,
  error text,
  CONSTRAINT cancellations_pkey PRIMARY KEY (provider, subscription_id, reason, asked_at),
  CONSTRAINT cancellations_user_id_fkey FOREIGN KEY (user_id) REFERENCES billing.account(user_id) ON DELETE CASCADE,
  CONSTRAINT cancellations_provider_check CHECK (provider = ANY (ARRAY['creem', 'bagelpay'])),
  CONSTRAINT cancellations_reason_check CHECK (reason = ANY (ARRAY['user', 'replaced', 'refunded', 'disputed', 'operator', 'left']))
);
CREATE INDEX cancellations_due ON billing.cancellations (next_try_at) WHERE done_at IS NULL;

-- Which user an id of a provider leads to.
CREATE TABLE billing.external_refs (
  provider text NOT NULL,
  kind text NOT NULL,
  id text NOT NULL,
  user_id uuid NOT NULL,
  CONSTRAINT external_refs_pkey PRIMARY KEY (provider, kind, id),
  CONSTRAINT external_refs_user_id_fkey FOREIGN KEY (user_id) REFERENCES billing.account(user_id) ON DELETE CASCADE,
  CONSTRAINT external_refs_kind_check CHECK (kind = ANY (ARRAY['checkout', 'subscription', 'transaction'])),
  CONSTRAINT external_refs_provider_check CHECK (provider = ANY (ARRAY['creem', 'bagelpay']))
);
CREATE INDEX external_refs_of_user ON billing.external_refs (user_id);

-- All that providers said, each thing once: by webhook, by an answer to a question, by their lists.
CREATE TABLE billing.facts (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  provider text NOT NULL,
  -- Null while no id in it leads to one of our users, or when they lead to several (is_ambiguous).
  user_id uuid,
  kind text NOT NULL,
  subject text NOT NULL,
  -- The ids in it that lead to a user, as kind:id; empty for what was not understood.
  external_refs text[] NOT NULL DEFAULT '{}'::text[],
  is_ambiguous boolean NOT NULL DEFAULT false,
  fact jsonb NOT NULL,
  digest bytea NOT NULL,
  source text NOT NULL,
  inbox_id bigint,
  observed_at timestamptz NOT NULL,
  CONSTRAINT facts_pkey PRIMARY KEY (id),
  CONSTRAINT facts_provider_digest_key UNIQUE (provider, digest),
  CONSTRAINT facts_inbox_id_fkey FOREIGN KEY (inbox_id) REFERENCES billing.inbox(id) ON DELETE SET NULL,
  CONSTRAINT facts_user_id_fkey FOREIGN KEY (user_id) REFERENCES billing.account(user_id) ON DELETE CASCADE,
  CONSTRAINT facts_digest_check CHECK (length(digest) = 32),
  CONSTRAINT facts_kind_check CHECK (kind = ANY (ARRAY['checkout', 'payment', 'subscription', 'refund', 'dispute', 'unknown'])),
  CONSTRAINT facts_provider_check CHECK (provider = ANY (ARRAY['creem', 'bagelpay'])),
  CONSTRAINT facts_source_check CHECK (source = ANY (ARRAY['webhook', 'question', 'sweep', 'operator']))
);
CREATE INDEX facts_newest ON billing.facts (observed_at);
CREATE INDEX facts_of_charge ON billing.facts (provider, subject) WHERE kind = ANY (ARRAY['payment', 'subscription']);
CREATE INDEX facts_of_customer ON billing.facts (provider, lower(fact ->> 'customerEmail')) WHERE kind = 'subscription';
CREATE INDEX facts_of_inbox ON billing.facts (inbox_id) WHERE inbox_id IS NOT NULL;
CREATE INDEX facts_of_order ON billing.facts (provider, (fact ->> 'orderId')) WHERE kind = 'payment' AND user_id IS NOT NULL;
CREATE INDEX facts_of_transaction ON billing.facts (provider, (fact ->> 'transactionId')) WHERE kind = ANY (ARRAY['payment', 'refund', 'dispute']);
CREATE INDEX facts_of_user ON billing.facts (user_id, id) WHERE user_id IS NOT NULL;
CREATE INDEX facts_unattributed ON billing.facts (id) WHERE user_id IS NULL;
CREATE INDEX facts_unattributed_refs ON billing.facts USING gin (external_refs) WHERE user_id IS NULL;
CREATE INDEX facts_with_buyer ON billing.facts (user_id) WHERE user_id IS NOT NULL AND (fact ->> 'customerEmail') IS NOT NULL;

-- Webhooks as they came, signature checked, bytes untouched: also the queue of the job that reads them.
CREATE TABLE billing.inbox (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  provider text NOT NULL,
  dedupe_key text NOT NULL,
  type text NOT NULL,
  raw bytea NOT NULL,
  headers jsonb NOT NULL,
  received_at timestamptz NOT NULL,
  status text NOT NULL DEFAULT 'new',
  tries integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL,
  done_at timestamptz,
  -- What it said, once it is done: the same under another id has nothing to add.
  content_digest bytea,
  -- Why it failed last, or what in it was not understood.
  error text,
  -- Whom it concerned: it goes with the user.
  user_id uuid,
  CONSTRAINT inbox_pkey PRIMARY KEY (id),
  CONSTRAINT inbox_provider_dedupe_key_key UNIQUE (provider, dedupe_key),
  CONSTRAINT inbox_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE,
  CONSTRAINT inbox_content_digest_check CHECK (length(content_digest) = 32),
  CONSTRAINT inbox_done_has_time CHECK ((status = 'done') = (done_at IS NOT NULL)),
  CONSTRAINT inbox_provider_check CHECK (provider = ANY (ARRAY['creem', 'bagelpay'])),
  CONSTRAINT inbox_status_check CHECK (status = ANY (ARRAY['new', 'done', 'failed']))
);
CREATE INDEX inbox_content ON billing.inbox (provider, content_digest) WHERE status = 'done';
CREATE INDEX inbox_due ON billing.inbox (provider, next_try_at, id) WHERE status = 'new';
CREATE INDEX inbox_failed ON billing.inbox (id) WHERE status = 'failed';
CREATE INDEX inbox_new ON billing.inbox (id) WHERE status = 'new';
CREATE INDEX inbox_newest ON billing.inbox (received_at);
CREATE INDEX inbox_of_user ON billing.inbox (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX inbox_with_buyer ON billing.inbox (user_id) WHERE user_id IS NOT NULL AND status = 'done' AND raw <> '\x'::bytea;

-- Mailboxes that an account proved when it ordered or since: a dispute follows each of them (decision 46).
CREATE TABLE billing.order_mailboxes (
  user_id uuid NOT NULL,
  address_hash bytea NOT NULL,
  CONSTRAINT order_mailboxes_pkey PRIMARY KEY (user_id, address_hash),
  CONSTRAINT order_mailboxes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE,
  CONSTRAINT order_mailboxes_address_hash_check CHECK (length(address_hash) = 32)
);
CREATE INDEX order_mailboxes_address ON billing.order_mailboxes (address_hash);

-- One purchase as it was offered. Its terms never change; status and paid_at are projected.
-- orders_open_once: a second click or a second tab finds the open order for the same thing.
CREATE TABLE billing.orders (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  provider text NOT NULL,
  product_id text NOT NULL,
  plan_key text NOT NULL,
  cycle text NOT NULL,
  price_minor integer NOT NULL,
  currency text NOT NULL,
  credits integer NOT NULL,
  -- What the provider answered; null until it did.
  checkout_id text,
  checkout_url text,
  checkout_expires_at timestamptz,
  status text NOT NULL DEFAULT 'open',
  paid_at timestamptz,
  -- Open, but a payment follows as far as the provider said. Projected.
  confirming boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  -- What the provider was given at the checkout, in lower case. It goes with the account.
  buyer_email text,
  CONSTRAINT orders_pkey PRIMARY KEY (id),
  CONSTRAINT orders_provider_checkout_id_key UNIQUE (provider, checkout_id),
  CONSTRAINT orders_user_id_fkey FOREIGN KEY (user_id) REFERENCES billing.account(user_id) ON DELETE CASCADE,
  CONSTRAINT orders_confirming_is_open CHECK (NOT confirming OR status = 'open'),
  CONSTRAINT orders_credits_check CHECK (credits > 0),
  CONSTRAINT orders_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
  CONSTRAINT orders_cycle_check CHECK (cycle = ANY (ARRAY['monthly', 'annual'])),
  CONSTRAINT orders_paid_has_time CHECK ((status <> ALL (ARRAY['paid', 'refunded', 'disputed'])) OR paid_at IS NOT NULL),
  CONSTRAINT orders_plan_key_check CHECK (plan_key = ANY (ARRAY['gemini_basic', 'gemini_pro'])),
  CONSTRAINT orders_price_minor_check CHECK (price_minor > 0),
  CONSTRAINT orders_product_id_check CHECK (product_id <> ''),
  CONSTRAINT orders_provider_check CHECK (provider = ANY (ARRAY['creem', 'bagelpay'])),
  CONSTRAINT orders_status_check CHECK (status = ANY (ARRAY['open', 'paid', 'failed', 'abandoned', 'refunded', 'disputed']))
);
CREATE INDEX orders_all_newest ON billing.orders (created_at DESC, id DESC);
CREATE INDEX orders_in_other_currencies ON billing.orders (currency) WHERE currency <> 'USD' AND paid_at IS NOT NULL;
CREATE INDEX orders_newest ON billing.orders (user_id, created_at DESC, id DESC);
CREATE INDEX orders_of_buyer ON billing.orders (buyer_email) WHERE buyer_email IS NOT NULL;
CREATE INDEX orders_of_status ON billing.orders (status, created_at DESC, id DESC);
CREATE INDEX orders_with_buyer ON billing.orders (user_id) WHERE buyer_email IS NOT NULL;
CREATE UNIQUE INDEX orders_number ON billing.orders ("right"(id::text, 12));
CREATE UNIQUE INDEX orders_open_once ON billing.orders (user_id, provider, plan_key, cycle) WHERE status = 'open' AND NOT confirming;
CREATE TRIGGER orders_refuse_leaving BEFORE INSERT ON billing.orders FOR EACH ROW EXECUTE FUNCTION public.refuse_leaving();

-- The plan that a user wants from the end of the paid period on. Nothing is charged for it.
CREATE TABLE billing.plan_wishes (
  user_id uuid NOT NULL,
  plan_key text NOT NULL,
  cycle text NOT NULL,
  -- The order whose subscription ends for it.
  order_id uuid NOT NULL,
  wished_at timestamptz NOT NULL,
  CONSTRAINT plan_wishes_pkey PRIMARY KEY (user_id),
  CONSTRAINT plan_wishes_user_id_fkey FOREIGN KEY (user_id) REFERENCES billing.account(user_id) ON DELETE CASCADE,
  CONSTRAINT plan_wishes_cycle_check CHECK (cycle = ANY (ARRAY['monthly', 'annual'])),
  CONSTRAINT plan_wishes_plan_key_check CHECK (plan_key = ANY (ARRAY['gemini_basic', 'gemini_pro']))
);

-- When one provider is asked next about one user.
CREATE TABLE billing.polls (
  provider text NOT NULL,
  user_id uuid NOT NULL,
  ask_at timestamptz NOT NULL,
  -- How often nothing new was answered in a row.
  asked_times integer NOT NULL DEFAULT 0,
  CONSTRAINT polls_pkey PRIMARY KEY (provider, user_id),
  CONSTRAINT polls_user_id_fkey FOREIGN KEY (user_id) REFERENCES billing.account(user_id) ON DELETE CASCADE,
  CONSTRAINT polls_provider_check CHECK (provider = ANY (ARRAY['creem', 'bagelpay']))
);
CREATE INDEX polls_due ON billing.polls (provider, ask_at);

-- Acts above the limit of one operator: another one agrees to them or refuses them.
CREATE TABLE billing.proposals (
  id uuid NOT NULL,
  act jsonb NOT NULL,
  reason text NOT NULL,
  operator_id uuid NOT NULL,
  proposed_at timestamptz NOT NULL,
  -- Null: it waits. Agreed and without a line in the audit log: it was cut off, and waits as well.
  decision text,
  decided_by uuid,
  decided_at timestamptz,
  CONSTRAINT proposals_pkey PRIMARY KEY (id),
  CONSTRAINT proposals_decided CHECK (num_nulls(decision, decided_by, decided_at) = ANY (ARRAY[0, 3])),
  CONSTRAINT proposals_decision_check CHECK (decision = ANY (ARRAY['agree', 'refuse'])),
  CONSTRAINT proposals_reason_check CHECK (reason <> '')
);
CREATE INDEX proposals_open ON billing.proposals (proposed_at) WHERE decision IS NULL;

-- When the list of the charges of a provider is read next: its new rows, those of two weeks, all of them.
CREATE TABLE billing.reviews (
  provider text NOT NULL,
  scope text NOT NULL,
  due_at timestamptz NOT NULL,
  -- When the last one began that came to its end: what is older was read.
  read_to timestamptz,
  CONSTRAINT reviews_pkey PRIMARY KEY (provider, scope),
  CONSTRAINT reviews_provider_check CHECK (provider = ANY (ARRAY['creem', 'bagelpay'])),
  CONSTRAINT reviews_scope_check CHECK (scope = ANY (ARRAY['new', 'recent', 'all']))
);

-- Charges that were paid and grant nothing: an operator has to look. One row for each charge.
CREATE TABLE billing.uncredited (
  provider text NOT NULL,
  transaction_id text NOT NULL,
  -- Null: unattributed.
  user_id uuid,
  order_id uuid,
  reason text NOT NULL,
  -- Minor units, gross; null: unknown.
  amount_minor integer,
  currency text,
  paid_at timestamptz,
  found_at timestamptz NOT NULL,
  -- When the operator is alerted; what may still be completed waits a little.
  alert_at timestamptz NOT NULL,
  alerted_at timestamptz,
  resolved_at timestamptz,
  CONSTRAINT uncredited_pkey PRIMARY KEY (provider, transaction_id),
  CONSTRAINT uncredited_user_id_fkey FOREIGN KEY (user_id) REFERENCES billing.account(user_id) ON DELETE CASCADE,
  CONSTRAINT uncredited_provider_check CHECK (provider = ANY (ARRAY['creem', 'bagelpay']))
);
CREATE INDEX uncredited_alerts ON billing.uncredited (alert_at) WHERE alerted_at IS NULL AND resolved_at IS NULL;
CREATE INDEX uncredited_of_order ON billing.uncredited (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX uncredited_of_user ON billing.uncredited (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX uncredited_open ON billing.uncredited (found_at) WHERE resolved_at IS NULL;

-- One row a user, and the only lock. It holds no balance: what can be spent is the sum of the buckets.
CREATE TABLE credit.account (
  user_id uuid NOT NULL,
  -- Free months are counted from here.
  free_anchor timestamptz NOT NULL,
  frozen_at timestamptz,
  -- No free month begins before this moment: a plan is paid, or its renewal may still arrive.
  free_paused_until timestamptz,
  -- No free month until then, for the reason in free_taken_by.
  free_taken_until timestamptz,
  -- Nothing is spent or granted any more.
  closed_at timestamptz,
  free_withheld boolean NOT NULL DEFAULT false,
  -- Another account of the mailbox has the month, or the months of the day are given to its domain.
  free_taken_by text NOT NULL DEFAULT 'address_used',
  CONSTRAINT account_pkey PRIMARY KEY (user_id),
  CONSTRAINT account_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE,
  CONSTRAINT account_free_taken_by CHECK (free_taken_by = ANY (ARRAY['address_used', 'domain_busy', 'network_busy']))
);
CREATE TRIGGER account_stays BEFORE DELETE ON credit.account FOR EACH ROW EXECUTE FUNCTION credit.refuse_delete();

-- One grant. Its counters say where its credits are now; they always add up to the amount.
-- No index names a counter, so that taking and closing holds stay heap-only updates. The second predicate of bucket_due is true of
-- every row: it keeps the planner from walking that index for one user while the statistics are young.
CREATE TABLE credit.bucket (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id uuid NOT NULL,
  kind text NOT NULL,
  source_key text NOT NULL,
  payment_key text,
  order_id uuid,
  amount integer NOT NULL,
  available integer NOT NULL,
  held integer NOT NULL DEFAULT 0,
  spent integer NOT NULL DEFAULT 0,
  expired integer NOT NULL DEFAULT 0,
  revoked integer NOT NULL DEFAULT 0,
  -- What is to be taken back in all; revoked follows as credits come back.
  revoke_target integer NOT NULL DEFAULT 0,
  revoke_reason text,
  starts_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- When its expiry was booked.
  ended_at timestamptz,
  CONSTRAINT bucket_pkey PRIMARY KEY (id),
  CONSTRAINT bucket_payment_key_key UNIQUE (payment_key),
  CONSTRAINT bucket_source UNIQUE (user_id, source_key),
  CONSTRAINT bucket_user_id_fkey FOREIGN KEY (user_id) REFERENCES credit.account(user_id) ON DELETE CASCADE,
  CONSTRAINT bucket_amount_check CHECK (amount >= 1 AND amount <= 1000000),
  CONSTRAINT bucket_conserved CHECK ((available + held + spent + expired + revoked) = amount),
  CONSTRAINT bucket_expires_at_check CHECK (isfinite(expires_at)),
  CONSTRAINT bucket_kind_check CHECK (kind = ANY ('{free,subscription,adjustment}'::text[])),
  CONSTRAINT bucket_never_negative CHECK (LEAST(available, held, spent, expired, revoked) >= 0),
  CONSTRAINT bucket_payment_key_check CHECK (length(payment_key) >= 1 AND length(payment_key) <= 200),
  CONSTRAINT bucket_period CHECK (starts_at < expires_at),
  CONSTRAINT bucket_revoke_bounded CHECK (revoked <= revoke_target AND revoke_target <= amount),
  CONSTRAINT bucket_revoke_comes_first CHECK (available = 0 OR revoked = revoke_target),
  CONSTRAINT bucket_revoke_has_reason CHECK ((revoke_target = 0) = (revoke_reason IS NULL)),
  CONSTRAINT bucket_revoke_reason_check CHECK (revoke_reason ~ '^[a-z][a-z0-9_]{0,39}$'),
  CONSTRAINT bucket_source_key_check CHECK (length(source_key) >= 1 AND length(source_key) <= 200),
  CONSTRAINT bucket_stays_ended CHECK (ended_at IS NULL OR available = 0)
) WITH (fillfactor=60, autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.05);
CREATE INDEX bucket_due ON credit.bucket (expires_at) WHERE ended_at IS NULL AND expires_at IS NOT NULL;
CREATE INDEX bucket_lost ON credit.bucket (id) WHERE revoke_target > 0;
CREATE INDEX bucket_open ON credit.bucket (user_id, expires_at, id) WHERE ended_at IS NULL;
CREATE TRIGGER bucket_not_emptied BEFORE TRUNCATE ON credit.bucket FOR EACH STATEMENT EXECUTE FUNCTION credit.refuse_change();
CREATE TRIGGER bucket_stays BEFORE DELETE ON credit.bucket FOR EACH ROW EXECUTE FUNCTION credit.refuse_delete();

-- What the transfers of a bucket added up to when its account was last checked: up to transfer_id (decision 54).
CREATE TABLE credit.checked (
  user_id uuid NOT NULL,
  bucket_id bigint NOT NULL,
  transfer_id bigint NOT NULL,
  available integer NOT NULL,
  held integer NOT NULL,
  spent integer NOT NULL,
  expired integer NOT NULL,
  revoked integer NOT NULL,
  CONSTRAINT checked_pkey PRIMARY KEY (user_id, bucket_id),
  CONSTRAINT checked_user_id_fkey FOREIGN KEY (user_id) REFERENCES credit.account(user_id) ON DELETE CASCADE
);

-- How far the ledger is checked: the transfers up to checked_to. The next ones are up to until, the newest at noted_at.
CREATE TABLE credit.checking (
  is_only boolean NOT NULL DEFAULT true,
  checked_to bigint NOT NULL,
  until bigint NOT NULL,
  noted_at timestamptz NOT NULL,
  CONSTRAINT checking_pkey PRIMARY KEY (is_only),
  CONSTRAINT checking_has_one_row CHECK (is_only)
);

-- One priced message; its id is the id of the message, so the primary key proves that a message is charged once. With of_hold: more steps of that message, by the id of the confirmation that allowed them.
CREATE TABLE credit.hold (
  user_id uuid NOT NULL,
  id uuid NOT NULL,
  model text NOT NULL,
  cost integer NOT NULL,
  state text NOT NULL DEFAULT 'held',
  reason text,
  created_at timestamptz NOT NULL,
  closed_at timestamptz,
  -- The name that the API key had.
  note text,
  -- What stays spent of a settled hold; null: all of it.
  charged integer,
  -- What it was spent for, as [{kind, credits}, …]; null: for the message alone.
  lines jsonb,
  -- The hold of the message that this one took more for.
  of_hold uuid,
  CONSTRAINT hold_pkey PRIMARY KEY (user_id, id),
  CONSTRAINT hold_of_hold_fkey FOREIGN KEY (user_id, of_hold) REFERENCES credit.hold(user_id, id) ON DELETE CASCADE,
  CONSTRAINT hold_user_id_fkey FOREIGN KEY (user_id) REFERENCES credit.account(user_id) ON DELETE CASCADE,
  CONSTRAINT hold_charged CHECK (charged IS NULL OR state = 'settled' AND charged > 0 AND charged <= cost),
  CONSTRAINT hold_closed_has_reason CHECK ((state = 'held') = (reason IS NULL)),
  CONSTRAINT hold_closed_has_time CHECK ((state = 'held') = (closed_at IS NULL)),
  CONSTRAINT hold_cost_check CHECK (cost > 0),
  CONSTRAINT hold_note_check CHECK (length(note) >= 1 AND length(note) <= 80),
  CONSTRAINT hold_of_another CHECK (of_hold <> id),
  CONSTRAINT hold_state_check CHECK (state = ANY ('{held,settled,released}'::text[]))
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.05);
CREATE INDEX hold_more ON credit.hold (user_id, of_hold) WHERE of_hold IS NOT NULL;
CREATE TRIGGER hold_stays BEFORE DELETE ON credit.hold FOR EACH ROW EXECUTE FUNCTION credit.refuse_delete();

-- Append-only. Each row moves credits of one bucket from src to dst.
-- Rows of one operation that the user sees as one line carry the whole change of the line on their last row only; rows that the
-- user does not see carry none. A hold takes from a bucket once and gives it back or spends it once (transfer_hold_once).
CREATE TABLE credit.transfer (
  user_id uuid NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  bucket_id bigint NOT NULL,
  hold_id uuid,
  src text NOT NULL,
  dst text NOT NULL,
  amount integer NOT NULL,
  line_change integer,
  balance_after integer NOT NULL,
  reason text NOT NULL,
  at timestamptz NOT NULL,
  CONSTRAINT transfer_pkey PRIMARY KEY (user_id, id),
  CONSTRAINT transfer_user_id_fkey FOREIGN KEY (user_id) REFERENCES credit.account(user_id) ON DELETE CASCADE,
  CONSTRAINT transfer_user_id_hold_id_fkey FOREIGN KEY (user_id, hold_id) REFERENCES credit.hold(user_id, id) ON DELETE CASCADE,
  CONSTRAINT transfer_amount_check CHECK (amount > 0),
  CONSTRAINT transfer_balance_after_check CHECK (balance_after >= 0),
  CONSTRAINT transfer_move CHECK (((src || ' > ') || dst) = ANY ('{"issue > available","available > held","held > spent","held > available","spent > available","available > expired","available > revoked","revoked > available"}'::text[])),
  CONSTRAINT transfer_reason_check CHECK (reason ~ '^[a-z][a-z0-9_]{0,39}$')
) WITH (autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.05);
CREATE INDEX transfer_newest ON credit.transfer USING brin (id) WITH (pages_per_range='32', autosummarize='on');
CREATE INDEX transfer_other_lines ON credit.transfer (user_id, src, dst, id) WHERE line_change IS NOT NULL AND dst <> 'held';
CREATE UNIQUE INDEX transfer_hold_once ON credit.transfer (hold_id, user_id, bucket_id, src) WHERE hold_id IS NOT NULL;
CREATE UNIQUE INDEX transfer_issue_once ON credit.transfer (bucket_id) WHERE src = 'issue';
CREATE TRIGGER transfer_is_final BEFORE UPDATE OR TRUNCATE ON credit.transfer FOR EACH STATEMENT EXECUTE FUNCTION credit.refuse_change();
CREATE TRIGGER transfer_stays BEFORE DELETE ON credit.transfer FOR EACH ROW EXECUTE FUNCTION credit.refuse_delete();

-- Until when the last free month lives that any account of the mailbox was given. It outlives the account.
CREATE TABLE public.address_grants (
  address_hash bytea NOT NULL,
  free_until timestamptz NOT NULL,
  proved boolean NOT NULL,
  CONSTRAINT address_grants_pkey PRIMARY KEY (address_hash, proved),
  CONSTRAINT address_grants_address_hash_check CHECK (length(address_hash) = 32)
);
CREATE INDEX address_grants_age ON public.address_grants (free_until);

-- What the requests of a key that were let in in a month hold and have spent: what its monthly cap is compared with. Moved by triggers; missing until the first that was counted.
CREATE TABLE public.api_key_months (
  user_id uuid NOT NULL,
  key_id uuid NOT NULL,
  -- Its first day (UTC).
  month date NOT NULL,
  credits integer NOT NULL,
  CONSTRAINT api_key_months_pkey PRIMARY KEY (key_id, month),
  CONSTRAINT api_key_months_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id) ON DELETE CASCADE,
  CONSTRAINT api_key_months_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX api_key_months_user ON public.api_key_months (user_id);

-- Personal keys of the API.
CREATE TABLE public.api_keys (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  name text NOT NULL,
  -- What a list shows of the key.
  prefix text NOT NULL,
  -- SHA-256 of the key.
  hash bytea NOT NULL,
  -- Null: every model of the plan.
  models text[],
  -- Credits a calendar month in UTC.
  monthly_cap integer,
  -- CIDR; null: from everywhere.
  allowed_addresses text[],
  expires_at timestamptz,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  revoked_at timestamptz,
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_hash UNIQUE (hash),
  CONSTRAINT api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE,
  CONSTRAINT api_keys_hash_check CHECK (length(hash) = 32),
  CONSTRAINT api_keys_monthly_cap_check CHECK (monthly_cap > 0),
  CONSTRAINT api_keys_name_check CHECK (length(name) >= 1 AND length(name) <= 80),
  CONSTRAINT api_keys_prefix_check CHECK (length(prefix) <= 60)
);
CREATE INDEX api_keys_user ON public.api_keys (user_id, created_at);
CREATE TRIGGER api_keys_refuse_leaving BEFORE INSERT ON public.api_keys FOR EACH ROW EXECUTE FUNCTION public.refuse_leaving();

-- One call of /v1/chat/completions that was let in.
CREATE TABLE public.api_requests (
  message_id uuid NOT NULL,
  user_id uuid NOT NULL,
  -- Null: made by the user on the API page.
  key_id uuid,
  idempotency_key text,
  body_hash bytea NOT NULL,
  -- Our estimate, for providers that do not count.
  prompt_tokens integer NOT NULL,
  -- It was not yet decided whether to keep the answer.
  is_fresh boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL,
  CONSTRAINT api_requests_pkey PRIMARY KEY (message_id),
  CONSTRAINT api_requests_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id) ON DELETE CASCADE,
  CONSTRAINT api_requests_message_id_fkey FOREIGN KEY (message_id) REFERENCES public.messages(id) ON DELETE CASCADE,
  CONSTRAINT api_requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE,
  CONSTRAINT api_requests_body_hash_check CHECK (length(body_hash) = 32),
  CONSTRAINT api_requests_idempotency_key_check CHECK (length(idempotency_key) >= 1 AND length(idempotency_key) <= 255)
);
CREATE INDEX api_requests_fresh ON public.api_requests (created_at) WHERE is_fresh;
CREATE INDEX api_requests_key ON public.api_requests (key_id, created_at);
CREATE INDEX api_requests_newest ON public.api_requests (user_id, created_at);
CREATE UNIQUE INDEX api_requests_once ON public.api_requests (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE TRIGGER api_requests_count BEFORE INSERT ON public.api_requests FOR EACH ROW WHEN (new.key_id IS NOT NULL) EXECUTE FUNCTION public.count_key_request();

-- What a run asked its user, and the answer.
CREATE TABLE public.computer_confirmations (
  id uuid NOT NULL,
  message_id uuid NOT NULL,
  user_id uuid NOT NULL,
  reason text NOT NULL,
  state text NOT NULL DEFAULT 'waiting',
  params jsonb NOT NULL,
  asked_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT computer_confirmations_pkey PRIMARY KEY (id),
  CONSTRAINT computer_confirmations_message_id_fkey FOREIGN KEY (message_id) REFERENCES public.messages(id) ON DELETE CASCADE,
  CONSTRAINT computer_confirmations_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE,
  CONSTRAINT computer_confirmations_reason CHECK (reason = ANY ('{new_site,sensitive_field,cross_site_form,provider,more_steps}'::text[])),
  CONSTRAINT computer_confirmations_state CHECK (state = ANY ('{waiting,allowed,denied,expired,ended}'::text[]))
);
CREATE INDEX computer_confirmations_due ON public.computer_confirmations (expires_at) WHERE state = 'waiting';
CREATE INDEX computer_confirmations_message ON public.computer_confirmations (message_id);
CREATE INDEX computer_confirmations_user ON public.computer_confirmations (user_id);
CREATE TRIGGER computer_confirmations_refuse_leaving BEFORE INSERT ON public.computer_confirmations FOR EACH ROW EXECUTE FUNCTION public.refuse_leaving();

-- The newest picture of a run, while a process watches that does not have the run. In no log and no backup: it shows what a user types.
CREATE UNLOGGED TABLE public.computer_frames (
  message_id uuid NOT NULL,
  n bigint NOT NULL,
  jpeg text NOT NULL,
  CONSTRAINT computer_frames_pkey PRIMARY KEY (message_id),
  CONSTRAINT computer_frames_message_id_fkey FOREIGN KEY (message_id) REFERENCES public.computer_runs(message_id) ON DELETE CASCADE
);

-- A message whose model drives a browser, while it runs; one a user (decision 78).
CREATE TABLE public.computer_runs (
  message_id uuid NOT NULL,
  user_id uuid NOT NULL,
  state text NOT NULL,
  -- What the user wants: that it goes on, waits, or lets them act.
  control text NOT NULL DEFAULT 'none',
  -- How many runs are before it in the queue of its process, itself included.
  place integer,
  url text NOT NULL DEFAULT '',
  -- When it ends by itself while it waits for its user.
  until timestamptz,
  CONSTRAINT computer_runs_pkey PRIMARY KEY (message_id),
  CONSTRAINT computer_runs_message_id_fkey FOREIGN KEY (message_id) REFERENCES public.messages(id) ON DELETE CASCADE,
  CONSTRAINT computer_runs_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE,
  CONSTRAINT computer_runs_control CHECK (control = ANY ('{none,paused,taken_over}'::text[])),
  CONSTRAINT computer_runs_place CHECK ((state = 'queued') = (place IS NOT NULL)),
  CONSTRAINT computer_runs_state CHECK (state = ANY ('{queued,running,waiting}'::text[]))
);
CREATE UNIQUE INDEX computer_runs_user ON public.computer_runs (user_id);
CREATE TRIGGER computer_runs_refuse_leaving BEFORE INSERT ON public.computer_runs FOR EACH ROW EXECUTE FUNCTION public.refuse_leaving();

CREATE TABLE public.conversations (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  title text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- The title as search compares it.
  folded_title text NOT NULL,
  pinned_at timestamptz,
  archived_at timestamptz,
  -- Deleted by its user; removed when the time for undo is over.
  deleted_at timestamptz,
  is_temporary boolean NOT NULL DEFAULT false,
  -- Who gave the title: the first words of the first prompt, the model, or the user.
  title_source text NOT NULL DEFAULT 'first_words',
  -- When a model was asked for a title: once in its life (decision 58).
  title_asked_at timestamptz,
  CONSTRAINT conversations_pkey PRIMARY KEY (id),
  CONSTRAINT conversations_user_id_id_key UNIQUE (user_id, id),
  CONSTRAINT conversations_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE,
  CONSTRAINT conversations_archived_is_not_pinned CHECK (pinned_at IS NULL OR archived_at IS NULL),
  CONSTRAINT conversations_title_source CHECK (title_source = ANY (ARRAY['first_words', 'model', 'user']))
);
CREATE INDEX conversations_archived ON public.conversations (user_id, updated_at DESC, id DESC) WHERE archived_at IS NOT NULL AND deleted_at IS NULL AND NOT is_temporary;
CREATE INDEX conversations_deleted ON public.conversations (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX conversations_listed ON public.conversations (user_id, updated_at DESC, id DESC) WHERE deleted_at IS NULL AND archived_at IS NULL AND pinned_at IS NULL AND NOT is_temporary;
CREATE INDEX conversations_pinned ON public.conversations (user_id, pinned_at DESC, id DESC) WHERE pinned_at IS NOT NULL AND deleted_at IS NULL AND NOT is_temporary;
CREATE INDEX conversations_temporary ON public.conversations (updated_at) WHERE is_temporary;

-- What is left to be done until an account is deleted; also the queue of that job.
CREATE TABLE public.deletions (
  user_id uuid NOT NULL,
  asked_at timestamptz NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL,
  done_at timestamptz,
  -- What it waits for.
  error text,
  CONSTRAINT deletions_pkey PRIMARY KEY (user_id),
  CONSTRAINT deletions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX deletions_due ON public.deletions (next_try_at) WHERE done_at IS NULL;

-- Free months given a day to a domain at which mailboxes can be opened at will.
CREATE TABLE public.domain_grants (
  domain_hash bytea NOT NULL,
  day date NOT NULL,
  months integer NOT NULL,
  CONSTRAINT domain_grants_pkey PRIMARY KEY (domain_hash, day),
  CONSTRAINT domain_grants_domain_hash_check CHECK (length(domain_hash) = 32),
  CONSTRAINT domain_grants_months_check CHECK (months >= 0)
);
CREATE INDEX domain_grants_age ON public.domain_grants (day);

-- One change of address under way a user. It happens once the old and the new address have confirmed.
CREATE TABLE public.email_changes (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  new_email text NOT NULL,
  old_confirmed_at timestamptz,
  new_confirmed_at timestamptz,
  expires_at timestamptz NOT NULL,
  CONSTRAINT email_changes_pkey PRIMARY KEY (id),
  CONSTRAINT email_changes_user UNIQUE (user_id),
  CONSTRAINT email_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE,
  CONSTRAINT email_changes_new_email_check CHECK (new_email = lower(new_email) AND length(new_email) >= 3 AND length(new_email) <= 254)
);
CREATE INDEX email_changes_expiry ON public.email_changes (expires_at);

-- A second factor that is being set up; it counts once a code has shown that the app has it.
CREATE TABLE public.enrolments (
  user_id uuid NOT NULL,
  secret text NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT enrolments_pkey PRIMARY KEY (user_id),
  CONSTRAINT enrolments_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX enrolments_expiry ON public.enrolments (expires_at);
CREATE TRIGGER enrolments_refuse_leaving BEFORE INSERT ON public.enrolments FOR EACH ROW EXECUTE FUNCTION public.refuse_leaving();

CREATE TABLE public.export_chunks (
  export_id uuid NOT NULL,
  -- Which attempt wrote it: an attempt that was given up and goes on cannot mix into the next.
  try integer NOT NULL,
  number integer NOT NULL,
  bytes bytea STORAGE EXTERNAL NOT NULL,
  CONSTRAINT export_chunks_pkey PRIMARY KEY (export_id, try, number),
  CONSTRAINT export_chunks_export_id_fkey FOREIGN KEY (export_id) REFERENCES public.exports(id) ON DELETE CASCADE
);

-- The data of a user as one ZIP; also the queue of the job that makes it. It goes a week after it was made, or when a newer one is ready.
CREATE TABLE public.exports (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  language text NOT NULL,
  state text NOT NULL DEFAULT 'waiting',
  requested_at timestamptz NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL,
  size bigint,
  ended_at timestamptz,
  expires_at timestamptz,
  error text,
  CONSTRAINT exports_pkey PRIMARY KEY (id),
  CONSTRAINT exports_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE,
  CONSTRAINT exports_ended_has_time CHECK ((state = 'waiting') = (ended_at IS NULL)),
  CONSTRAINT exports_language_check CHECK (language = ANY (ARRAY['zh', 'en'])),
  CONSTRAINT exports_ready_is_whole CHECK ((state = 'ready') = (size IS NOT NULL AND expires_at IS NOT NULL)),
  CONSTRAINT exports_state_check CHECK (state = ANY (ARRAY['waiting', 'ready', 'failed']))
);
CREATE INDEX exports_due ON public.exports (next_try_at) WHERE state = 'waiting';
CREATE INDEX exports_expiry ON public.exports (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX exports_newest ON public.exports (user_id, requested_at DESC);
CREATE INDEX exports_unready ON public.exports (requested_at) WHERE state <> 'ready';
CREATE UNIQUE INDEX exports_one_at_a_time ON public.exports (user_id) WHERE state = 'waiting';
CREATE TRIGGER exports_refuse_leaving BEFORE INSERT ON public.exports FOR EACH ROW EXECUTE FUNCTION public.refuse_leaving();

-- The bytes of a file and of what was found in it, in pieces one after the other.
CREATE TABLE public.file_chunks (
  file_id uuid NOT NULL,
  part text NOT NULL,
  start bigint NOT NULL,
  length integer NOT NULL,
  bytes bytea STORAGE EXTERNAL,
  -- The name of the piece in S3, which begins with the id of the file; null: it is in bytes.
  object text,
  CONSTRAINT file_chunks_pkey PRIMARY KEY (file_id, part, start),
  CONSTRAINT file_chunks_file_id_fkey FOREIGN KEY (file_id) REFERENCES public.files(id) ON DELETE CASCADE,
  CONSTRAINT file_chunks_bytes CHECK ((bytes IS NULL) <> (object IS NULL)),
  CONSTRAINT file_chunks_length CHECK (bytes IS NULL OR length(bytes) = length),
  CONSTRAINT file_chunks_part CHECK (part = ANY ('{content,thumbnail,text}'::text[])),
  CONSTRAINT file_chunks_place CHECK (start >= 0 AND length > 0)
);
CREATE TRIGGER file_chunks_count_new AFTER INSERT ON public.file_chunks FOR EACH ROW WHEN (new.part = 'text') EXECUTE FUNCTION public.count_text();
CREATE TRIGGER file_chunks_count_old AFTER DELETE ON public.file_chunks FOR EACH ROW WHEN (old.part = 'text') EXECUTE FUNCTION public.count_text();

-- Copies that a model provider keeps for us, by its project.
CREATE TABLE public.file_copies (
  file_id uuid NOT NULL,
  project text NOT NULL,
  name text NOT NULL,
  uri text NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT file_copies_pkey PRIMARY KEY (file_id, project),
  CONSTRAINT file_copies_file_id_fkey FOREIGN KEY (file_id) REFERENCES public.files(id) ON DELETE CASCADE
);
CREATE TRIGGER file_copies_remove AFTER DELETE ON public.file_copies FOR EACH ROW EXECUTE FUNCTION public.remove_file_copy();
CREATE TRIGGER file_copies_replace AFTER UPDATE OF name ON public.file_copies FOR EACH ROW WHEN (old.name <> new.name) EXECUTE FUNCTION public.remove_file_copy();

-- What lies outside and must be deleted, until that is done.
CREATE TABLE public.file_removals (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  kind text NOT NULL,
  project text,
  -- The beginning of the names of objects in S3, or the provider's name of a copy.
  target text NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL,
  error text,
  CONSTRAINT file_removals_pkey PRIMARY KEY (id),
  CONSTRAINT file_removals_kind CHECK (kind = ANY ('{objects,copy}'::text[])),
  CONSTRAINT file_removals_project CHECK ((kind = 'copy') = (project IS NOT NULL))
);
CREATE INDEX file_removals_due ON public.file_removals (kind, next_try_at);
CREATE INDEX file_removals_of_target ON public.file_removals (target);

-- What the files of a user take: the longer one of each file and its text. Moved by triggers.
CREATE TABLE public.file_usage (
  user_id uuid NOT NULL,
  bytes bigint NOT NULL,
  CONSTRAINT file_usage_pkey PRIMARY KEY (user_id),
  CONSTRAINT file_usage_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);

-- A file of a user. An upload belongs to no conversation until a message names it, and goes when it expires before.
CREATE TABLE public.files (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  conversation_id uuid,
  name text NOT NULL,
  -- Its length: as announced, then as stored.
  bytes bigint NOT NULL,
  received bigint NOT NULL DEFAULT 0,
  state text NOT NULL DEFAULT 'uploading',
  -- Where its content is; what was found in it is always in the database.
  storage text NOT NULL,
  type text,
  sha256 bytea,
  pages integer,
  tokens integer,
  width integer,
  height integer,
  has_text boolean NOT NULL DEFAULT false,
  has_thumbnail boolean NOT NULL DEFAULT false,
  -- Read again in each turn of its conversation.
  every_turn boolean NOT NULL DEFAULT true,
  -- Why it cannot be read, in contract/errors.ts.
  error_code text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  tries integer NOT NULL DEFAULT 0,
  -- When it is read next, or when the lease of its reader ends.
  next_try_at timestamptz,
  -- Why the last try to read it failed on our side.
  error text,
  -- The message for whose answer it was made; null: it was uploaded, or kept.
  message_id uuid,
  -- Files wait to be read in this order: the first of each user, then the second of each.
  turn bigint NOT NULL DEFAULT 0,
  -- The message from whose browser its user kept it; null: it was uploaded or made.
  kept_of uuid,
  -- What was kept, such as picture:3: it is kept once.
  kept_what text,
  -- Chosen with the upload: a picture keeps what it says of the place where it was taken.
  keeps_place boolean NOT NULL DEFAULT false,
  -- The length of the text that was found in it.
  text_bytes bigint NOT NULL DEFAULT 0,
  -- When a message first named it; null: none did, or one of before this column.
  named_at timestamptz,
  -- Its place in that message.
  named_n integer,
  CONSTRAINT files_pkey PRIMARY KEY (id),
  CONSTRAINT files_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES public.conversations(id) ON DELETE CASCADE,
  CONSTRAINT files_kept_of_fkey FOREIGN KEY (kept_of) REFERENCES public.messages(id) ON DELETE CASCADE,
  CONSTRAINT files_message_id_fkey FOREIGN KEY (message_id) REFERENCES public.messages(id) ON DELETE CASCADE,
  CONSTRAINT files_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE,
  CONSTRAINT files_failed CHECK ((state = 'failed') = (error_code IS NOT NULL)),
  CONSTRAINT files_hash CHECK (length(sha256) = 32),
  CONSTRAINT files_home CHECK ((conversation_id IS NULL AND message_id IS NULL) = (expires_at IS NOT NULL)),
  CONSTRAINT files_home_ready CHECK (expires_at IS NOT NULL OR state = 'ready'),
  CONSTRAINT files_kept CHECK ((kept_of IS NULL) = (kept_what IS NULL)),
  CONSTRAINT files_name CHECK (name <> ''),
  CONSTRAINT files_read CHECK (state <> 'ready' OR type IS NOT NULL AND sha256 IS NOT NULL AND tokens IS NOT NULL),
  CONSTRAINT files_received CHECK (bytes > 0 AND received >= 0 AND received <= bytes),
  CONSTRAINT files_state CHECK (state = ANY ('{uploading,reading,ready,failed}'::text[])),
  CONSTRAINT files_storage CHECK (storage = ANY ('{database,s3}'::text[])),
  CONSTRAINT files_waits CHECK ((state = 'reading') = (next_try_at IS NOT NULL)),
  CONSTRAINT files_whole CHECK (state = 'uploading' OR received = bytes)
);
CREATE INDEX files_conversation ON public.files (conversation_id, id) WHERE conversation_id IS NOT NULL;
CREATE INDEX files_due ON public.files (turn, next_try_at) WHERE state = 'reading';
CREATE INDEX files_expiry ON public.files (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX files_message ON public.files (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX files_reading ON public.files (user_id, turn) WHERE state = 'reading';
CREATE INDEX files_unnamed ON public.files (user_id) WHERE expires_at IS NOT NULL;
CREATE INDEX files_user ON public.files (user_id, id);
CREATE UNIQUE INDEX files_kept_once ON public.files (kept_of, kept_what) WHERE kept_of IS NOT NULL;
CREATE CONSTRAINT TRIGGER files_count AFTER INSERT OR DELETE OR UPDATE OF bytes, text_bytes ON public.files DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.count_file();
CREATE TRIGGER files_refuse_leaving BEFORE INSERT ON public.files FOR EACH ROW EXECUTE FUNCTION public.refuse_leaving();
CREATE TRIGGER files_remove_objects AFTER DELETE ON public.files FOR EACH ROW WHEN (old.storage = 's3') EXECUTE FUNCTION public.remove_file_objects();

-- Free messages of a day (UTC): they ended without an answer, or their question broke it, and cost nothing, although a provider was asked (decisions 50 and 149).
CREATE TABLE public.free_messages (
  user_id uuid NOT NULL,
  day date NOT NULL,
  -- The unanswered ones: the provider had begun, and the user ended them. UNANSWERED_LIMIT bounds them.
  ended_by_user integer NOT NULL,
  -- The API key that sent them; null: the user in a browser.
  key_id uuid,
  -- All of them. UNCHARGED_LIMIT bounds them.
  uncharged integer NOT NULL,
  CONSTRAINT free_messages_place UNIQUE NULLS NOT DISTINCT (user_id, day, key_id),
  CONSTRAINT free_messages_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id) ON DELETE CASCADE,
  CONSTRAINT free_messages_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE,
  CONSTRAINT free_messages_ended_by_user CHECK (ended_by_user >= 0),
  CONSTRAINT free_messages_uncharged CHECK (uncharged > 0 AND uncharged >= ended_by_user)
);
CREATE INDEX free_messages_age ON public.free_messages (day);

-- One way a user signs in: a password (provider credential) or Google.
CREATE TABLE public.identities (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  provider_id text NOT NULL,
  account_id text NOT NULL,
  password text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  account_name text,
  CONSTRAINT identities_pkey PRIMARY KEY (id),
  CONSTRAINT identities_once UNIQUE (provider_id, account_id),
  CONSTRAINT identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE,
  CONSTRAINT identities_account_name_check CHECK (length(account_name) <= 254),
  CONSTRAINT identities_password_check CHECK (password ~~ '$argon2id$%')
);
CREATE INDEX identities_user ON public.identities (user_id);
CREATE TRIGGER identities_delete_trust AFTER DELETE ON public.identities FOR EACH ROW WHEN (old.provider_id = 'credential') EXECUTE FUNCTION public.end_trusted_browsers('user_id');
CREATE TRIGGER identities_end_steps AFTER DELETE OR UPDATE OF password ON public.identities FOR EACH ROW EXECUTE FUNCTION public.end_sign_in_steps();
CREATE TRIGGER identities_end_trust AFTER UPDATE OF password ON public.identities FOR EACH ROW WHEN (old.password IS DISTINCT FROM new.password) EXECUTE FUNCTION public.end_trusted_browsers('user_id');
CREATE TRIGGER identities_refuse_leaving BEFORE INSERT ON public.identities FOR EACH ROW EXECUTE FUNCTION public.refuse_leaving();

-- One start of the server process. It is alive while it was seen within the lease; it owns its messages for as long.
CREATE TABLE public.instances (
  id uuid NOT NULL,
  seen_at timestamptz NOT NULL,
  CONSTRAINT instances_pkey PRIMARY KEY (id)
);

-- From where a user signed in: a kind of browser in a network. Another one is a reason for a mail.
CREATE TABLE public.known_devices (
  user_id uuid NOT NULL,
  browser text NOT NULL,
  network text NOT NULL,
  seen_at timestamptz NOT NULL,
  CONSTRAINT known_devices_pkey PRIMARY KEY (user_id, browser, network),
  CONSTRAINT known_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE,
  CONSTRAINT known_devices_browser_check CHECK (length(browser) <= 100),
  CONSTRAINT known_devices_network_check CHECK (length(network) <= 100)
);

-- One mail that goes out once; its id is its Message-ID. It is composed when it is sent (decision 18).
CREATE TABLE public.mails (
  id uuid NOT NULL,
  -- Names the fact that the mail is about.
  key text NOT NULL,
  template text NOT NULL,
  to_address text NOT NULL,
  language text NOT NULL,
  -- Emptied when the mail is done.
  params jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL,
  ended_at timestamptz,
  outcome text,
  error text,
  -- Whose it is, where the address is not the user's any more, or not yet; it is deleted with the user.
  user_id uuid,
  CONSTRAINT mails_pkey PRIMARY KEY (id),
  CONSTRAINT mails_key_key UNIQUE (key),
  CONSTRAINT mails_ended_has_outcome CHECK ((ended_at IS NULL) = (outcome IS NULL)),
  CONSTRAINT mails_key_check CHECK (length(key) >= 1 AND length(key) <= 200),
  CONSTRAINT mails_language_check CHECK (language = ANY (ARRAY['zh', 'en'])),
  CONSTRAINT mails_outcome_check CHECK (outcome = ANY (ARRAY['sent', 'unwanted', 'failed']))
);
CREATE INDEX mails_age ON public.mails (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX mails_deleted ON public.mails (ended_at) WHERE template = 'account_deleted' AND ended_at IS NOT NULL;
CREATE INDEX mails_due ON public.mails (next_try_at) WHERE ended_at IS NULL;
CREATE INDEX mails_of_users ON public.mails (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX mails_to_address ON public.mails (to_address);

-- The event log of running answers: one row for each flush, events first_seq to last_seq as [[type, data], …].
-- A buffer with a life of about an hour, written several times a second: no foreign key, no index that moves with time.
CREATE TABLE public.message_events (
  message_id uuid NOT NULL,
  first_seq integer NOT NULL,
  last_seq integer NOT NULL,
  events jsonb NOT NULL,
  written_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT message_events_pkey PRIMARY KEY (message_id, first_seq),
  CONSTRAINT message_events_check CHECK (last_seq >= first_seq),
  CONSTRAINT message_events_first_seq_check CHECK (first_seq >= 1)
);
CREATE INDEX message_events_written ON public.message_events USING brin (written_at);

-- One exchange: a prompt and its answer. A request of the API is one without a conversation (decision 16).
-- Any page of a branch is read by ranges of depth in chains (decision 41).
CREATE TABLE public.messages (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  conversation_id uuid,
  parent_id uuid,
  model text NOT NULL,
  content text NOT NULL,
  response text NOT NULL DEFAULT '',
  status text NOT NULL DEFAULT 'running',
  cost integer NOT NULL,
  credits_used integer NOT NULL DEFAULT 0,
  error_code text,
  model_version text,
  upstream_model text,
  usage jsonb,
  context_trimmed boolean NOT NULL DEFAULT false,
  -- The instance that generates the answer.
  owner uuid NOT NULL,
  stop_requested_at timestamptz,
  -- The number of the end event.
  end_seq integer,
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- From the send to the first text.
  first_text_ms integer,
  upstream_switched boolean NOT NULL DEFAULT false,
  -- The answer was erased: no request can ask for it again.
  erased_at timestamptz,
  -- Why the model stopped writing; null where the provider did not say.
  finish_reason text,
  -- The number of messages above it.
  depth integer,
  -- The first child goes on in the chain of its parent; every other message begins one, under its own id.
  chain_id uuid,
  -- Of the first message of a chain: the chain that its parent is in.
  fork_of uuid,
  -- What was sent besides text: parts, options, and the quote. Null: text alone.
  input jsonb,
  -- What the answer is besides text: parts, what was charged for, and what went wrong. Null: text alone.
  output jsonb,
  -- The parts as the provider wrote them, for the model that did (kept-parts.ts). Null: text says it all.
  kept text,
  CONSTRAINT messages_pkey PRIMARY KEY (id),
  CONSTRAINT messages_conversation_id_id_key UNIQUE (conversation_id, id),
  CONSTRAINT messages_conversation FOREIGN KEY (user_id, conversation_id) REFERENCES public.conversations(user_id, id) ON DELETE CASCADE,
  CONSTRAINT messages_parent FOREIGN KEY (conversation_id, parent_id) REFERENCES public.messages(conversation_id, id),
  CONSTRAINT messages_charge_is_earned CHECK (credits_used = 0 OR credits_used > 0 AND credits_used <= cost AND (status = ANY ('{completed,stopped}'::text[])) AND (response <> '' OR output IS NOT NULL OR erased_at IS NOT NULL)),
  CONSTRAINT messages_completed_is_charged CHECK (status <> 'completed' OR credits_used > 0 OR COALESCE(input ? 'computer', false)),
  CONSTRAINT messages_content CHECK (content <> '' OR conversation_id IS NULL),
  CONSTRAINT messages_cost_check CHECK (cost > 0),
  CONSTRAINT messages_depth CHECK ((parent_id IS NULL) = (depth = 0)),
  CONSTRAINT messages_ended_has_end_event CHECK ((status = 'running') = (end_seq IS NULL)),
  CONSTRAINT messages_ended_has_time CHECK ((status = 'running') = (ended_at IS NULL)),
  CONSTRAINT messages_erased_is_api CHECK (erased_at IS NULL OR conversation_id IS NULL AND status <> 'running'),
  CONSTRAINT messages_fault_has_code CHECK ((status = ANY ('{failed,interrupted}'::text[])) = (error_code IS NOT NULL)),
  CONSTRAINT messages_finish_reason CHECK (finish_reason = ANY (ARRAY['stop', 'length', 'content_filter'])),
  CONSTRAINT messages_first_text_ms_check CHECK (first_text_ms >= 0),
  CONSTRAINT messages_fork_begins_chain CHECK ((fork_of IS NOT NULL) = (chain_id = id AND parent_id IS NOT NULL)),
  CONSTRAINT messages_has_place CHECK (num_nulls(conversation_id, chain_id, depth) = ANY ('{0,3}'::integer[])),
  CONSTRAINT messages_not_own_parent CHECK (parent_id <> id),
  CONSTRAINT messages_status_check CHECK (status = ANY ('{running,completed,stopped,failed,interrupted}'::text[]))
);
CREATE INDEX messages_api ON public.messages (user_id, created_at) WHERE conversation_id IS NULL;
CREATE INDEX messages_children ON public.messages (conversation_id, parent_id, created_at, id);
CREATE INDEX messages_failed ON public.messages (ended_at DESC, id DESC) WHERE status = ANY (ARRAY['failed', 'interrupted']);
CREATE INDEX messages_forks ON public.messages (fork_of, depth) WHERE fork_of IS NOT NULL;
CREATE INDEX messages_in_order ON public.messages (conversation_id, created_at, id);
CREATE INDEX messages_newest ON public.messages (created_at);
CREATE INDEX messages_running ON public.messages (user_id, owner) WHERE status = 'running';
CREATE UNIQUE INDEX messages_chains ON public.messages (chain_id, depth);
CREATE TRIGGER messages_count_key AFTER UPDATE OF status, cost, credits_used ON public.messages FOR EACH ROW WHEN (new.conversation_id IS NULL AND
        CASE new.status
            WHEN 'running' THEN new.cost
            ELSE new.credits_used
        END <>
        CASE old.status
            WHEN 'running' THEN old.cost
            ELSE old.credits_used
        END) EXECUTE FUNCTION public.count_key_change();
CREATE TRIGGER messages_end_computer_run AFTER UPDATE OF status ON public.messages FOR EACH ROW WHEN (new.status <> 'running' AND new.input ? 'computer') EXECUTE FUNCTION public.end_computer_run();
CREATE TRIGGER messages_place BEFORE INSERT ON public.messages FOR EACH ROW WHEN (new.conversation_id IS NOT NULL AND new.chain_id IS NULL) EXECUTE FUNCTION public.place_message();

-- What operators set a message to cost, each from a day on, UTC; a day at least an hour ahead when it is set.
CREATE TABLE public.model_prices (
  model text NOT NULL,
  from_day date NOT NULL,
  cost integer NOT NULL,
  CONSTRAINT model_prices_pkey PRIMARY KEY (model, from_day),
  CONSTRAINT model_prices_cost CHECK (cost > 0)
);

-- Free months of a day for accounts of one network that have not proved their address.
CREATE TABLE public.network_grants (
  network_hash bytea NOT NULL,
  day date NOT NULL,
  months integer NOT NULL,
  CONSTRAINT network_grants_pkey PRIMARY KEY (network_hash, day),
  CONSTRAINT network_grants_months_check CHECK (months >= 0),
  CONSTRAINT network_grants_network_hash_check CHECK (length(network_hash) = 32)
);
CREATE INDEX network_grants_age ON public.network_grants (day);

-- What needs the operator, from the first look that found it until a look finds it no more.
CREATE TABLE public.operator_alerts (
  kind text NOT NULL,
  subject text NOT NULL,
  details jsonb NOT NULL,
  raised_at timestamptz NOT NULL,
  -- The last look that found it.
  seen_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- How often it was sent since it was raised.
  sent integer NOT NULL DEFAULT 0,
  -- When it is sent next; null: never, it is over.
  next_send_at timestamptz,
  CONSTRAINT operator_alerts_pkey PRIMARY KEY (kind, subject),
  CONSTRAINT operator_alerts_in_order CHECK (raised_at <= seen_at AND seen_at <= ended_at),
  CONSTRAINT operator_alerts_sent_check CHECK (sent >= 0)
);
CREATE INDEX operator_alerts_due ON public.operator_alerts (next_send_at) WHERE next_send_at IS NOT NULL;

-- Users who may use the console. Given and taken by the command line.
CREATE TABLE public.operators (
  user_id uuid NOT NULL,
  made_at timestamptz NOT NULL,
  CONSTRAINT operators_pkey PRIMARY KEY (user_id),
  CONSTRAINT operators_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);

-- What a passkey signs, once, for one purpose and one session, step or browser (bound_to).
CREATE TABLE public.passkey_challenges (
  hash text NOT NULL,
  purpose text NOT NULL,
  bound_to text NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT passkey_challenges_pkey PRIMARY KEY (hash),
  CONSTRAINT passkey_challenges_purpose_check CHECK (purpose = ANY (ARRAY['register', 'sign_in', 'second_step', 'confirm']))
);
CREATE INDEX passkey_challenges_expiry ON public.passkey_challenges (expires_at);

CREATE TABLE public.passkeys (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  credential_id text NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  name text NOT NULL,
  -- It is on more than one device of the user.
  synced boolean NOT NULL,
  created_at timestamptz NOT NULL,
  used_at timestamptz,
  CONSTRAINT passkeys_pkey PRIMARY KEY (id),
  CONSTRAINT passkeys_credential UNIQUE (credential_id),
  CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE,
  CONSTRAINT passkeys_credential_id_check CHECK (length(credential_id) <= 1400),
  CONSTRAINT passkeys_name_check CHECK (length(name) <= 200),
  CONSTRAINT passkeys_public_key_check CHECK (length(public_key) <= 8192)
);
CREATE INDEX passkeys_user ON public.passkeys (user_id);
CREATE TRIGGER passkeys_refuse_leaving BEFORE INSERT ON public.passkeys FOR EACH ROW EXECUTE FUNCTION public.refuse_leaving();

-- Models that an operator paused: send_message and send_api_message refuse new messages to them.
CREATE TABLE public.paused_models (
  model text NOT NULL,
  paused_at timestamptz NOT NULL,
  CONSTRAINT paused_models_pkey PRIMARY KEY (model)
);

-- The picture of a user as WebP; its address names its hash, so that it never changes.
CREATE TABLE public.pictures (
  user_id uuid NOT NULL,
  -- SHA-256 of the image, base64url.
  hash text NOT NULL,
  image bytea STORAGE EXTERNAL NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT pictures_pkey PRIMARY KEY (user_id),
  CONSTRAINT pictures_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE,
  CONSTRAINT pictures_hash_check CHECK (length(hash) = 43),
  CONSTRAINT pictures_image_check CHECK (length(image) <= 1000000)
);
CREATE TRIGGER pictures_refuse_leaving BEFORE INSERT OR UPDATE ON public.pictures FOR EACH ROW EXECUTE FUNCTION public.refuse_leaving();

-- What each answer cost at its provider (decision 90). It has no text, and stays with the nameless row of a deleted account.
CREATE TABLE public.provider_costs (
  user_id uuid NOT NULL,
  message_id uuid NOT NULL,
  -- The answer, or what was written beside it: its conversation's title, follow-up questions.
  kind text NOT NULL,
  -- The end of the answer.
  at timestamptz NOT NULL,
  -- Of the message, also where another model wrote beside it.
  model text NOT NULL,
  -- The plan that the user had then; null: none.
  plan_key text,
  -- What the answer used besides its model: api, code, computer, files, picture, search.
  features text[] NOT NULL,
  -- What the message was charged.
  credits integer NOT NULL,
  -- The host that was asked last; null: none did any work, or it is not known which one.
  provider text,
  upstream_model text,
  input_tokens bigint NOT NULL,
  cached_input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  thinking_tokens bigint NOT NULL,
  searches integer NOT NULL,
  pictures integer NOT NULL,
  -- What was consumed, a line for each provider, model and size of pictures, each with the price that it was reckoned by.
  uses jsonb NOT NULL,
  -- The day from which the price of the last line holds; 1970-01-01: MODELS_FILE says it, without a day.
  price_day date,
  -- Tokens of it are estimated: the provider did not report them.
  is_estimate boolean NOT NULL,
  -- US dollars times 10^12; null: not known.
  cost_pico_usd numeric,
  -- Why the cost is not known: price, picture_price, search_price, usage.
  unknown text[] NOT NULL,
  CONSTRAINT provider_costs_pkey PRIMARY KEY (user_id, message_id, kind),
  CONSTRAINT provider_costs_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE,
  CONSTRAINT provider_costs_kind CHECK (kind = ANY ('{answer,title,follow_ups}'::text[])),
  CONSTRAINT provider_costs_never_negative CHECK (LEAST(credits::numeric, cost_pico_usd) >= 0::numeric),
  CONSTRAINT provider_costs_unknown_has_reason CHECK ((cost_pico_usd IS NULL) = (unknown <> '{}'::text[]))
) WITH (autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.05);
CREATE INDEX provider_costs_at ON public.provider_costs USING brin (at) WITH (pages_per_range='32', autosummarize='on');

-- How often something was tried in the window that began at started_at; the key names what and who.
CREATE TABLE public.rate_limits (
  key text COLLATE "C" NOT NULL,
  count integer NOT NULL,
  started_at timestamptz NOT NULL,
  CONSTRAINT rate_limits_pkey PRIMARY KEY (key)
);
CREATE INDEX rate_limits_age ON public.rate_limits (started_at);

-- The recovery codes that are left: argon2id under second_factors.recovery_salt.
CREATE TABLE public.recovery_codes (
  user_id uuid NOT NULL,
  hash bytea NOT NULL,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, hash),
  CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.second_factors(user_id) ON DELETE CASCADE,
  CONSTRAINT recovery_codes_hash_check CHECK (length(hash) = 32)
);

-- The texts of server/db/functions as they were applied last.
CREATE TABLE public.schema_functions (
  file text NOT NULL,
  hash text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT schema_functions_pkey PRIMARY KEY (file)
);

-- The migrations that this database has.
CREATE TABLE public.schema_migrations (
  name text NOT NULL,
  hash text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT schema_migrations_pkey PRIMARY KEY (name)
);

-- The texts of users with many, by what they can be found by.
CREATE TABLE public.search_index (
  message_id uuid NOT NULL,
  user_id uuid NOT NULL,
  sent_at timestamptz NOT NULL,
  -- Numbers of the pieces of the text (decision 17).
  slots smallint[] NOT NULL,
  CONSTRAINT search_index_pkey PRIMARY KEY (message_id),
  CONSTRAINT search_index_message_id_fkey FOREIGN KEY (message_id) REFERENCES public.search_texts(message_id) ON DELETE CASCADE
);
CREATE INDEX search_index_keys ON public.search_index USING gin (public.search_keys(user_id, slots)) WITH (fastupdate=off);

-- Ended messages that search has not counted yet, nor stored where it stores.
CREATE TABLE public.search_queue (
  message_id uuid NOT NULL,
  CONSTRAINT search_queue_pkey PRIMARY KEY (message_id)
);

-- The text of an ended message as search compares it: NFKC, lower case, one space for every blank; the prompt first. Of users with many.
CREATE TABLE public.search_texts (
  message_id uuid NOT NULL,
  user_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  sent_at timestamptz NOT NULL,
  body text NOT NULL,
  CONSTRAINT search_texts_pkey PRIMARY KEY (message_id),
  CONSTRAINT search_texts_message_id_fkey FOREIGN KEY (message_id) REFERENCES public.messages(id) ON DELETE CASCADE
);
CREATE INDEX search_texts_newest ON public.search_texts (user_id, sent_at DESC, message_id DESC);

-- How the texts of a user are searched (decision 126): read, from the messages; indexed, by what is stored; read as well while storing. Of former versions: scanned, as read, and filling, as storing.
CREATE TABLE public.search_users (
  user_id uuid NOT NULL,
  -- Texts written so far, a long one several times; a rewritten text counts again. Never decreases.
  texts integer NOT NULL,
  mode text NOT NULL DEFAULT 'scanned',
  CONSTRAINT search_users_pkey PRIMARY KEY (user_id),
  CONSTRAINT search_users_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE,
  CONSTRAINT search_users_mode CHECK (mode = ANY (ARRAY['read', 'storing', 'indexed', 'scanned', 'filling']))
);
CREATE INDEX search_users_filling ON public.search_users (user_id) WHERE mode = 'filling';
CREATE INDEX search_users_storing ON public.search_users (user_id) WHERE mode = ANY (ARRAY['storing', 'filling']);

-- The second factor of the user is on.
CREATE TABLE public.second_factors (
  user_id uuid NOT NULL,
  -- Sealed, see seal-secret.ts.
  secret text NOT NULL,
  -- The newest 30 seconds of which a code was used: a code is good once.
  totp_counter bigint NOT NULL,
  recovery_salt bytea NOT NULL,
  created_at timestamptz NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  -- Memory in KiB with which the recovery codes were hashed; null: that of the setting.
  recovery_memory_kib integer,
  CONSTRAINT second_factors_pkey PRIMARY KEY (user_id),
  CONSTRAINT second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE,
  CONSTRAINT second_factors_recovery_salt_check CHECK (length(recovery_salt) = 16)
);
CREATE TRIGGER second_factors_refuse_leaving BEFORE INSERT ON public.second_factors FOR EACH ROW EXECUTE FUNCTION public.refuse_leaving();

-- One browser that is signed in. Only its cookie holds the signature of the token.
CREATE TABLE public.sessions (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  token text NOT NULL,
  expires_at timestamptz NOT NULL,
  ip_address text,
  user_agent text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- Last use, to within some minutes.
  used_at timestamptz NOT NULL DEFAULT now(),
  -- The last fresh proof of who sits there; signing in is one.
  confirmed_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_token UNIQUE (token),
  CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_created ON public.sessions (created_at);
CREATE INDEX sessions_expiry ON public.sessions (expires_at);
CREATE INDEX sessions_used ON public.sessions (used_at);
CREATE INDEX sessions_user ON public.sessions (user_id);
CREATE TRIGGER sessions_note_login AFTER INSERT ON public.sessions FOR EACH ROW EXECUTE FUNCTION public.note_login();
CREATE TRIGGER sessions_refuse_leaving BEFORE INSERT ON public.sessions FOR EACH ROW EXECUTE FUNCTION public.refuse_leaving();

-- A sign-in of which the first factor was right; its browser has the token.
CREATE TABLE public.sign_in_steps (
  hash text NOT NULL,
  user_id uuid NOT NULL,
  remember_me boolean NOT NULL,
  wrong integer NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL,
  CONSTRAINT sign_in_steps_pkey PRIMARY KEY (hash),
  CONSTRAINT sign_in_steps_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX sign_in_steps_expiry ON public.sign_in_steps (expires_at);
CREATE INDEX sign_in_steps_user ON public.sign_in_steps (user_id);
CREATE TRIGGER sign_in_steps_refuse_leaving BEFORE INSERT ON public.sign_in_steps FOR EACH ROW EXECUTE FUNCTION public.refuse_leaving();

-- The plan a user is on now, projected: what sending a message reads.
CREATE TABLE public.subscriptions (
  user_id uuid NOT NULL,
  plan_key text NOT NULL,
  cycle text NOT NULL,
  provider text NOT NULL,
  active boolean NOT NULL,
  cancel_at_period_end boolean NOT NULL DEFAULT false,
  current_period_start timestamptz,
  -- Until when it is paid.
  expires_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now(),
  state text NOT NULL,
  -- When the plan stops being usable, later by the grace where it renews; null: as expires_at.
  access_until timestamptz,
  CONSTRAINT subscriptions_pkey PRIMARY KEY (user_id),
  CONSTRAINT subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE,
  CONSTRAINT subscriptions_cycle_check CHECK (cycle = ANY (ARRAY['monthly', 'annual'])),
  CONSTRAINT subscriptions_period CHECK (current_period_start IS NULL OR expires_at IS NULL OR current_period_start < expires_at),
  CONSTRAINT subscriptions_plan_key_check CHECK (plan_key = ANY (ARRAY['gemini_basic', 'gemini_pro'])),
  CONSTRAINT subscriptions_provider_check CHECK (provider = ANY (ARRAY['creem', 'bagelpay'])),
  CONSTRAINT subscriptions_state_check CHECK (state = ANY (ARRAY['pending', 'active', 'scheduled_cancel', 'past_due', 'expired', 'refunded', 'disputed']))
);

-- Browsers that a user signed in from: failed tries of strangers do not count for them (OWASP device cookies).
CREATE TABLE public.trusted_browsers (
  user_id uuid NOT NULL,
  -- SHA-256 of the token in the device cookie of the browser.
  hash text NOT NULL,
  -- False: the browser opened a link of a mail and has not signed in since.
  signed_in boolean NOT NULL,
  used_at timestamptz NOT NULL,
  CONSTRAINT trusted_browsers_pkey PRIMARY KEY (user_id, hash),
  CONSTRAINT trusted_browsers_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX trusted_browsers_age ON public.trusted_browsers (used_at);

-- The row of a deleted account stays without a name or an address, for its ledger and its payments (decision 22).
CREATE TABLE public.users (
  id uuid NOT NULL,
  email text,
  email_verified boolean NOT NULL DEFAULT false,
  display_name text NOT NULL,
  photo_url text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  last_login_at timestamptz NOT NULL DEFAULT now(),
  -- In which mails are written.
  language text NOT NULL DEFAULT 'zh',
  -- Keyed hash of the mailbox (normalise-email.ts).
  address_hash bytea,
  -- The user asked for the deletion; there is no way back.
  leaving_at timestamptz,
  deleted_at timestamptz,
  -- Why no free month is given; when it is null again, the month that runs then is given.
  free_withheld text,
  -- Null where the service behind the address is known.
  domain_hash bytea,
  -- Free months that the domain is given a day.
  domain_per_day integer,
  -- Set when a mailbox was proved by someone who may not have opened the account.
  taken_over_at timestamptz,
  -- Keyed hash of the network of the sign-up; null where the address was proved there. It says nothing once the address is proved.
  network_hash bytea,
  -- Free months a day that the network is given for unproved accounts.
  network_per_day integer,
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_email UNIQUE (email),
  CONSTRAINT users_address_hash_check CHECK (length(address_hash) = 32),
  CONSTRAINT users_deleted_has_no_name CHECK (
CASE
    WHEN deleted_at IS NULL THEN email IS NOT NULL
    ELSE leaving_at IS NOT NULL AND email IS NULL AND display_name = '' AND photo_url IS NULL AND address_hash IS NULL
END),
  CONSTRAINT users_display_name_check CHECK (length(display_name) <= 200),
  CONSTRAINT users_domain CHECK ((domain_hash IS NULL) = (domain_per_day IS NULL)),
  CONSTRAINT users_domain_hash_check CHECK (length(domain_hash) = 32),
  CONSTRAINT users_domain_per_day_check CHECK (domain_per_day > 0),
  CONSTRAINT users_email_check CHECK (email = lower(email) AND length(email) >= 3 AND length(email) <= 254),
  CONSTRAINT users_free_withheld_check CHECK (free_withheld = ANY (ARRAY['disposable', 'unverified'])),
  CONSTRAINT users_language_check CHECK (language = ANY (ARRAY['zh', 'en'])),
  CONSTRAINT users_network CHECK ((network_hash IS NULL) = (network_per_day IS NULL)),
  CONSTRAINT users_network_hash_check CHECK (length(network_hash) = 32),
  CONSTRAINT users_network_per_day_check CHECK (network_per_day > 0),
  CONSTRAINT users_photo_url_check CHECK (length(photo_url) <= 2000)
);
CREATE INDEX users_deleted ON public.users (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX users_email_beginning ON public.users (email COLLATE "C");
CREATE TRIGGER open_credit_account AFTER INSERT ON public.users FOR EACH ROW EXECUTE FUNCTION credit.open_account();
CREATE TRIGGER users_carry_address AFTER UPDATE OF address_hash ON public.users FOR EACH ROW WHEN (new.address_hash IS NOT NULL AND new.address_hash IS DISTINCT FROM old.address_hash) EXECUTE FUNCTION credit.carry_address();
CREATE TRIGGER users_delete_api_messages BEFORE DELETE ON public.users FOR EACH ROW EXECUTE FUNCTION public.delete_api_messages();
CREATE TRIGGER users_end_trust AFTER UPDATE OF email ON public.users FOR EACH ROW WHEN (old.email IS DISTINCT FROM new.email) EXECUTE FUNCTION public.end_trusted_browsers('id');
CREATE TRIGGER users_keep_proved_mailbox AFTER UPDATE OF email_verified, address_hash ON public.users FOR EACH ROW WHEN (new.email_verified AND new.address_hash IS NOT NULL) EXECUTE FUNCTION billing.keep_proved_mailbox();
CREATE TRIGGER users_prove_address AFTER UPDATE OF email_verified ON public.users FOR EACH ROW WHEN (new.email_verified AND NOT old.email_verified AND new.address_hash IS NOT NULL) EXECUTE FUNCTION credit.prove_address();
CREATE TRIGGER users_withhold_free_months AFTER UPDATE OF free_withheld ON public.users FOR EACH ROW WHEN (new.free_withheld IS DISTINCT FROM old.free_withheld) EXECUTE FUNCTION credit.withhold_free_months();

-- One-time proofs: of an address, of a password reset, of a sign-in under way.
CREATE TABLE public.verifications (
  id uuid NOT NULL,
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- The address that the link went to; null: it is about a change of address, or was not mailed.
  sent_to text,
  CONSTRAINT verifications_pkey PRIMARY KEY (id)
);
CREATE INDEX verifications_expiry ON public.verifications (expires_at);
CREATE INDEX verifications_identifier ON public.verifications (identifier);
CREATE INDEX verifications_user ON public.verifications USING hash (split_part(value, ' ', 1));

-- Functions:
-- billing.keep_proved_mailbox() RETURNS trigger
-- billing.refuse_audit_change() RETURNS trigger
-- credit.book_expiry(p_user uuid, p_at timestamptz) RETURNS integer
-- credit.by_hand(p_user uuid, p_bucket bigint) RETURNS integer
-- credit.carry_address() RETURNS trigger
-- credit.check_accounts(p_from bigint, p_to bigint) RETURNS TABLE(kind text, user_id uuid, detail jsonb)
-- credit.check_booked(p_limit integer, p_settled interval) RETURNS TABLE(kind text, user_id uuid, detail jsonb)
-- credit.claim_address(p_user uuid, p_from timestamptz, p_until timestamptz) RETURNS timestamptz
-- credit.close_account(p_user uuid, p_at timestamptz) RETURNS void
-- credit.close_hold(p_user uuid, p_hold uuid, p_outcome text, p_reason text, p_at timestamptz, OUT closed boolean, OUT balance integer) RETURNS record
-- credit.close_more(p_user uuid, p_hold uuid, p_charge integer, p_reason text, p_balance integer, p_at timestamptz, OUT spent integer, OUT balance integer) RETURNS record
-- credit.first_transfer_since(p_user uuid, p_from timestamptz) RETURNS bigint
-- credit.free_month(p_anchor timestamptz, p_at timestamptz) RETURNS integer
-- credit.free_month_start(p_anchor timestamptz, p_n integer) RETURNS timestamptz
-- credit.grant_credits(p_user uuid, p_kind text, p_source_key text, p_payment_key text, p_order_id uuid, p_amount integer, p_starts_at timestamptz, p_expires_at timestamptz, p_reason text, p_at timestamptz, OUT granted boolean, OUT balance integer) RETURNS record
-- credit.hold_address(p_user uuid, p_address_hash bytea, p_proved boolean) RETURNS void
-- credit.is_domain_busy(p_user uuid, p_at timestamptz) RETURNS boolean
-- credit.is_network_busy(p_user uuid, p_at timestamptz) RETURNS boolean
-- credit.issue(p_user uuid, p_kind text, p_source_key text, p_amount integer, p_starts_at timestamptz, p_expires_at timestamptz, p_reason text, p_payment_key text, p_order_id uuid, p_balance integer, p_at timestamptz) RETURNS boolean
-- credit.issue_free_month(p_user uuid, p_anchor timestamptz, p_balance integer, p_at timestamptz) RETURNS integer
-- credit.look(p_user uuid, p_at timestamptz) RETURNS TABLE(balance integer, expiry_due boolean, month_due boolean)
-- credit.open_account() RETURNS trigger
-- credit.pass_on(p_user uuid, p_hold uuid, p_src text, p_balance integer, p_at timestamptz) RETURNS integer
-- credit.pause_free_months(p_user uuid, p_until timestamptz) RETURNS void
-- credit.prove_address() RETURNS trigger
-- credit.read_balance(p_user uuid, p_at timestamptz) RETURNS integer
-- credit.refresh(p_user uuid, p_anchor timestamptz, p_at timestamptz) RETURNS integer
-- credit.refuse_change() RETURNS trigger
-- credit.refuse_delete() RETURNS trigger
-- credit.restore_credits(p_user uuid, p_payment_key text, p_total integer, p_at timestamptz, OUT given integer, OUT balance integer) RETURNS record
-- credit.return_held(p_user uuid, p_hold uuid, p_cost integer, p_balance integer, p_reason text, p_at timestamptz) RETURNS integer
-- credit.return_unused(p_user uuid, p_hold uuid, p_charge integer, p_lines jsonb, p_balance integer, p_at timestamptz) RETURNS integer
-- credit.revoke_credits(p_user uuid, p_source_key text, p_payment_key text, p_total integer, p_reason text, p_at timestamptz, OUT known boolean, OUT taken integer, OUT balance integer) RETURNS record
-- credit.spend_held(p_user uuid, p_hold uuid, p_balance integer, p_reason text, p_at timestamptz) RETURNS void
-- credit.sweep_expired(p_limit integer, p_at timestamptz) RETURNS TABLE(user_id uuid, balance integer)
-- credit.take_back(p_user uuid, p_bucket bigint, p_dst text, p_amount integer, p_balance integer, p_reason text, p_at timestamptz) RETURNS integer
-- credit.take_hold(p_user uuid, p_hold uuid, p_cost integer, p_model text, p_at timestamptz, p_reason text DEFAULT 'message', p_note text DEFAULT NULL::text, OUT result text, OUT balance integer) RETURNS record
-- credit.take_more(p_user uuid, p_hold uuid, p_more uuid, p_cost integer, p_at timestamptz, OUT result text, OUT balance integer) RETURNS record
-- credit.withhold_free_months() RETURNS trigger
-- public.answer_confirmation(p_user uuid, p_message uuid, p_id uuid, p_state text, p_input jsonb, p_at timestamptz, OUT result text, OUT needed integer, OUT balance integer) RETURNS record
-- public.count_file() RETURNS trigger
-- public.count_key_change() RETURNS trigger
-- public.count_key_request() RETURNS trigger
-- public.count_text() RETURNS trigger
-- public.create_api_key(p_id uuid, p_user uuid, p_name text, p_prefix text, p_hash bytea, p_models text[], p_cap integer, p_addresses text[], p_expires_at timestamptz, p_most integer, p_at timestamptz) RETURNS boolean
-- public.delete_api_messages() RETURNS trigger
-- public.delete_unnamed_files(p_message uuid, p_output jsonb) RETURNS void
-- public.end_computer_run() RETURNS trigger
-- public.end_confirmation(p_part jsonb) RETURNS jsonb
-- public.end_message(p_id uuid, p_owner uuid, p_status text, p_response text, p_error_code text, p_model_version text, p_upstream_model text, p_usage jsonb, p_context_trimmed boolean, p_charged boolean, p_reason text, p_end_seq integer, p_first_seq integer, p_events jsonb, p_at timestamptz, p_first_text_ms integer, p_upstream_switched boolean, p_finish_reason text, p_is_unanswered boolean, p_is_uncharged boolean, OUT balance integer, OUT ended_at timestamptz) RETURNS record
-- public.end_message(p_id uuid, p_owner uuid, p_status text, p_response text, p_error_code text, p_model_version text, p_upstream_model text, p_usage jsonb, p_context_trimmed boolean, p_charged boolean, p_reason text, p_end_seq integer, p_first_seq integer, p_events jsonb, p_at timestamptz, p_first_text_ms integer, p_upstream_switched boolean, p_finish_reason text, p_is_unanswered boolean, p_is_uncharged boolean, p_charge integer, p_lines jsonb, p_output jsonb, p_kept text, OUT balance integer, OUT ended_at timestamptz) RETURNS record
-- public.end_message(p_id uuid, p_owner uuid, p_status text, p_response text, p_error_code text, p_model_version text, p_upstream_model text, p_usage jsonb, p_context_trimmed boolean, p_charged boolean, p_reason text, p_end_seq integer, p_first_seq integer, p_events jsonb, p_at timestamptz, p_first_text_ms integer, p_upstream_switched boolean, p_finish_reason text, p_is_unanswered boolean, p_is_uncharged boolean, p_charge integer, p_lines jsonb, p_output jsonb, p_kept text, p_provider_cost jsonb, OUT balance integer, OUT ended_at timestamptz) RETURNS record
-- public.end_sign_in_steps() RETURNS trigger
-- public.end_trusted_browsers() RETURNS trigger
-- public.find_texts(p_user uuid, p_slots smallint[], p_words text[], p_before_at timestamptz, p_before_id uuid, p_limit integer) RETURNS TABLE(message_id uuid, sent_at timestamptz)
-- public.interrupt_messages(p_ids uuid[], p_at timestamptz) RETURNS TABLE(message_id uuid, user_id uuid, balance integer)
-- public.interrupt_messages(p_ids uuid[], p_at timestamptz, p_provider_costs jsonb) RETURNS TABLE(message_id uuid, user_id uuid, balance integer)
-- public.key_month_credits(p_key uuid, p_month date) RETURNS integer
-- public.lock_file_usage(p_users uuid[]) RETURNS integer
-- public.note_login() RETURNS trigger
-- public.place_message() RETURNS trigger
-- public.reached_free_limit(p_user uuid, p_key uuid, p_max_unanswered integer, p_max_uncharged integer, p_at timestamptz) RETURNS integer
-- public.record_provider_cost(p_user uuid, p_message uuid, p_kind text, p_model text, p_credits integer, p_cost jsonb, p_at timestamptz) RETURNS void
-- public.refuse_leaving() RETURNS trigger
-- public.remove_file_copy() RETURNS trigger
-- public.remove_file_objects() RETURNS trigger
-- public.search_keys(p_user uuid, p_slots smallint[]) RETURNS bigint[]
-- public.send_api_message(p_user uuid, p_id uuid, p_key uuid, p_idempotency_key text, p_body_hash bytea, p_model text, p_cost integer, p_prompt_tokens integer, p_owner uuid, p_max_running integer, p_at timestamptz, p_max_unanswered integer, p_max_uncharged integer, OUT result text, OUT balance integer, OUT message_id uuid, OUT sent_at timestamptz, OUT cap_left integer, OUT free_limit integer) RETURNS record
-- public.send_message(p_user uuid, p_id uuid, p_conversation uuid, p_parent uuid, p_model text, p_content text, p_title text, p_cost integer, p_owner uuid, p_max_running integer, p_at timestamptz, p_folded_title text, p_temporary boolean, p_max_unanswered integer, p_max_uncharged integer, OUT result text, OUT balance integer, OUT sent_at timestamptz, OUT title text, OUT started_at timestamptz, OUT pinned_at timestamptz, OUT is_temporary boolean, OUT free_limit integer) RETURNS record
-- public.send_message(p_user uuid, p_id uuid, p_conversation uuid, p_parent uuid, p_model text, p_content text, p_title text, p_cost integer, p_owner uuid, p_max_running integer, p_at timestamptz, p_folded_title text, p_temporary boolean, p_max_unanswered integer, p_max_uncharged integer, p_input jsonb, OUT result text, OUT balance integer, OUT sent_at timestamptz, OUT title text, OUT started_at timestamptz, OUT pinned_at timestamptz, OUT is_temporary boolean, OUT free_limit integer) RETURNS record
-- public.without_more(p_lines jsonb, p_more integer) RETURNS jsonb

-- Views:
-- credit.balance_drift (user_id, transfer_id)
-- credit.bucket_drift (user_id, bucket_id, place, difference)
-- credit.drift (kind, user_id, detail)
-- credit.hold_drift (user_id, hold_id, bucket_id)
-- credit.receipt (user_id, hold_id, bucket_id, amount)
-- credit.unrecovered (user_id, bucket_id, source_key, payment_key, order_id, reason, revoke_target, revoked, expired, spent, missing)
