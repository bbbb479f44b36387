-- Orders, what the payment providers told, and what follows from it. Facts are only ever added; everything else in this
-- file is either frozen when it is written (an order's terms) or can be computed again from the facts.

CREATE SCHEMA billing;

-- One row a user who ever began a checkout: the lock under which facts are read and projected. Lock order: this row, then
-- credit.account.
CREATE TABLE billing.account (
  user_id          uuid PRIMARY KEY REFERENCES public.users ON DELETE CASCADE,
  -- Charges under dispute that an operator cleared, by payment key.
  cleared_disputes text[] NOT NULL DEFAULT '{}',
  -- Is a dispute open: no new checkout then.
  disputed         boolean NOT NULL DEFAULT false,
  -- When time alone changes the projection next.
  next_change_at   timestamptz,
  -- When the providers are to be asked next; null: nothing is open.
  ask_at           timestamptz,
  asked_times      integer NOT NULL DEFAULT 0,
  projected_at     timestamptz
);
CREATE INDEX account_changes ON billing.account (next_change_at) WHERE next_change_at IS NOT NULL;
CREATE INDEX account_asks ON billing.account (ask_at) WHERE ask_at IS NOT NULL;

-- One purchase as it was offered. Its terms never change; status and paid_at are projected.
CREATE TABLE billing.orders (
  id                  uuid PRIMARY KEY,
  user_id             uuid NOT NULL REFERENCES billing.account ON DELETE CASCADE,
  provider            text NOT NULL CHECK (provider IN ('creem', 'bagelpay')),
  product_id          text NOT NULL CHECK (product_id <> ''),
  plan_key            text NOT NULL CHECK (plan_key IN ('gemini_basic', 'gemini_pro')),
  cycle               text NOT NULL CHECK (cycle IN ('monthly', 'annual')),
  price_minor         integer NOT NULL CHECK (price_minor > 0),
  currency            text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  credits             integer NOT NULL CHECK (credits > 0),
  -- What the provider answered; null until it did.
  checkout_id         text,
  checkout_url        text,
  checkout_expires_at timestamptz,
  status              text NOT NULL DEFAULT 'open'
                      CHECK (status IN ('open', 'paid', 'failed', 'abandoned', 'refunded', 'disputed')),
  paid_at             timestamptz,
  -- Open, but something was told that a payment follows: projected too.
  confirming          boolean NOT NULL DEFAULT false,
  created_at          timestamptz NOT NULL,
  UNIQUE (provider, checkout_id),
  CONSTRAINT orders_confirming_is_open CHECK (NOT confirming OR status = 'open'),
  CONSTRAINT orders_paid_has_time CHECK (status NOT IN ('paid', 'refunded', 'disputed') OR paid_at IS NOT NULL)
);
CREATE INDEX orders_newest ON billing.orders (user_id, created_at DESC, id DESC);
-- A second click, a second tab: one open order for one thing. An old one that comes back to life when its payment is told
-- late stands beside it.
CREATE UNIQUE INDEX orders_open_once ON billing.orders (user_id, provider, plan_key, cycle)
  WHERE status = 'open' AND NOT confirming;

-- Webhooks as they came, signature checked, bytes untouched: also the queue of the job that reads them.
CREATE TABLE billing.inbox (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  provider    text NOT NULL CHECK (provider IN ('creem', 'bagelpay')),
  dedupe_key  text NOT NULL,
  type        text NOT NULL,
  raw         bytea NOT NULL,
  headers     jsonb NOT NULL,
  received_at timestamptz NOT NULL,
  status      text NOT NULL DEFAULT 'new' CHECK (status IN ('new', 'done', 'failed')),
  tries       integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL,
  done_at     timestamptz,
  -- What it told, once it is done: the same under another id has nothing to add.
  told_digest bytea CHECK (length(told_digest) = 32),
  -- Why it failed last, or what in it was not understood.
  error       text,
  -- Whose news it was: it goes with the user.
  user_id     uuid REFERENCES public.users ON DELETE CASCADE,
  UNIQUE (provider, dedupe_key),
  CONSTRAINT inbox_done_has_time CHECK ((status = 'done') = (done_at IS NOT NULL))
);
CREATE INDEX inbox_due ON billing.inbox (provider, next_try_at) WHERE status = 'new';
CREATE INDEX inbox_failed ON billing.inbox (id) WHERE status = 'failed';
CREATE INDEX inbox_of_user ON billing.inbox (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX inbox_told ON billing.inbox (provider, told_digest) WHERE status = 'done';

-- All that was told, each thing once: by webhook, by an answer to a question of ours, by the daily sweep.
CREATE TABLE billing.facts (
  id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  provider text NOT NULL CHECK (provider IN ('creem', 'bagelpay')),
  -- Whose it is; null while nothing that was told leads to one of our users, or when it leads to several.
  user_id  uuid REFERENCES billing.account ON DELETE CASCADE,
  kind     text NOT NULL CHECK (kind IN ('checkout', 'payment', 'subscription', 'refund', 'dispute', 'unknown')),
  subject  text NOT NULL,
  -- The ids in it that lead to a user, as `kind:id`; empty for what we did not understand.
  leads    text[] NOT NULL DEFAULT '{}',
  is_torn  boolean NOT NULL DEFAULT false,
  fact     jsonb NOT NULL,
  digest   bytea NOT NULL CHECK (length(digest) = 32),
  source   text NOT NULL CHECK (source IN ('webhook', 'question', 'sweep', 'operator')),
  inbox_id bigint REFERENCES billing.inbox ON DELETE SET NULL,
  told_at  timestamptz NOT NULL,
  UNIQUE (provider, digest)
);
CREATE INDEX facts_of_inbox ON billing.facts (inbox_id) WHERE inbox_id IS NOT NULL;
CREATE INDEX facts_of_user ON billing.facts (user_id, id) WHERE user_id IS NOT NULL;
CREATE INDEX facts_unplaced ON billing.facts (id) WHERE user_id IS NULL;
CREATE INDEX facts_of_nobody ON billing.facts USING gin (leads) WHERE user_id IS NULL;

-- Which user a provider's id leads to, as soon as anything told it together with an order of ours or another such id.
CREATE TABLE billing.handles (
  provider text NOT NULL CHECK (provider IN ('creem', 'bagelpay')),
  kind     text NOT NULL CHECK (kind IN ('checkout', 'subscription', 'transaction')),
  id       text NOT NULL,
  user_id  uuid NOT NULL REFERENCES billing.account ON DELETE CASCADE,
  PRIMARY KEY (provider, kind, id)
);
CREATE INDEX handles_of_user ON billing.handles (user_id);

-- Subscriptions that must not be charged again, until their provider says that they will not be.
CREATE TABLE billing.cancellations (
  provider        text NOT NULL CHECK (provider IN ('creem', 'bagelpay')),
  subscription_id text NOT NULL,
  user_id         uuid NOT NULL REFERENCES billing.account ON DELETE CASCADE,
  period_end      boolean NOT NULL,
  reason          text NOT NULL CHECK (reason IN ('user', 'replaced', 'refunded', 'disputed', 'operator')),
  asked_at        timestamptz NOT NULL,
  tries           integer NOT NULL DEFAULT 0,
  next_try_at     timestamptz NOT NULL,
  done_at         timestamptz,
  error           text,
  PRIMARY KEY (provider, subscription_id, reason, asked_at)
);
CREATE INDEX cancellations_due ON billing.cancellations (next_try_at) WHERE done_at IS NULL;

-- What an operator did, append-only.
CREATE TABLE billing.audit (
  id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  actor   text NOT NULL CHECK (actor <> ''),
  act     text NOT NULL CHECK (act ~ '^[a-z][a-z0-9_]{0,39}$'),
  user_id uuid,
  subject text,
  reason  text NOT NULL CHECK (reason <> ''),
  details jsonb NOT NULL DEFAULT '{}',
  at      timestamptz NOT NULL
);

-- The plan a user is on now: what sending a message reads. expires_at is what is paid, access_until when the plan stops being
-- usable unless more is told, later by the grace where it renews; null: as expires_at.
ALTER TABLE subscriptions ADD COLUMN state text NOT NULL DEFAULT 'active'
  CHECK (state IN ('pending', 'active', 'scheduled_cancel', 'past_due', 'expired', 'refunded', 'disputed'));
ALTER TABLE subscriptions ALTER COLUMN state DROP DEFAULT;
ALTER TABLE subscriptions ADD COLUMN access_until timestamptz;

-- No free month begins before this moment: a plan is paid, or its renewal may still be told.
ALTER TABLE credit.account ADD COLUMN free_paused_until timestamptz;

-- As in 0001, with the pause.
CREATE OR REPLACE FUNCTION credit.look(p_user uuid, p_at timestamptz)
RETURNS TABLE (balance integer, expiry_due boolean, month_due boolean) LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(available), 0)::integer,
         coalesce(bool_or(expires_at <= p_at), false),
         NOT coalesce(bool_or(expires_at > p_at
           AND (kind = 'free' OR (kind = 'subscription' AND revoke_target < amount))), false)
         AND NOT EXISTS (SELECT FROM credit.account a WHERE a.user_id = p_user AND a.free_paused_until > p_at)
    FROM credit.bucket WHERE user_id = p_user AND ended_at IS NULL
$$;

-- Sets until when no free month begins; null ends the pause.
CREATE FUNCTION credit.pause_free_months(p_user uuid, p_until timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
BEGIN
  UPDATE account SET free_paused_until = p_until WHERE user_id = p_user AND free_paused_until IS DISTINCT FROM p_until;
END $$;
