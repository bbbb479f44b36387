-- Asking the providers what no webhook told: who is asked about, how often, and what became of charges that grant nothing.

-- The address that the provider was given at the checkout, in lower case: the user's own may change. It goes with the account;
-- the hash of its mailbox stays, so that a dispute blocks the mailbox and not only the account.
ALTER TABLE billing.orders ADD COLUMN buyer_email text;
-- A mailbox that nobody had proved says nothing of its owner, who may not even know of the order.
ALTER TABLE billing.orders
  ADD COLUMN address_hash bytea CHECK (length(address_hash) = 32),
  ADD COLUMN address_proved boolean NOT NULL DEFAULT false;
UPDATE billing.orders o SET buyer_email = lower(u.email), address_hash = u.address_hash, address_proved = u.email_verified FROM public.users u WHERE u.id = o.user_id;
CREATE INDEX orders_of_buyer ON billing.orders (buyer_email) WHERE buyer_email IS NOT NULL;
CREATE INDEX orders_of_mailbox ON billing.orders (address_hash) WHERE address_hash IS NOT NULL;
CREATE INDEX accounts_disputed ON billing.account (user_id) WHERE disputed;

-- When one provider is asked next about one user. Its own row for each provider: a slow one delays its own questions only.
CREATE TABLE billing.askings (
  provider    text NOT NULL CHECK (provider IN ('creem', 'bagelpay')),
  user_id     uuid NOT NULL REFERENCES billing.account ON DELETE CASCADE,
  ask_at      timestamptz NOT NULL,
  -- How often nothing new was told in a row.
  asked_times integer NOT NULL DEFAULT 0,
  PRIMARY KEY (provider, user_id)
);
CREATE INDEX askings_due ON billing.askings (provider, ask_at);
INSERT INTO billing.askings (provider, user_id, ask_at, asked_times)
SELECT DISTINCT o.provider, a.user_id, a.ask_at, a.asked_times
  FROM billing.account a JOIN billing.orders o ON o.user_id = a.user_id WHERE a.ask_at IS NOT NULL;
ALTER TABLE billing.account DROP COLUMN ask_at, DROP COLUMN asked_times;

-- When the list of a provider's charges is read next: its new rows, those of the last two weeks, all of them.
CREATE TABLE billing.reviews (
  provider text NOT NULL CHECK (provider IN ('creem', 'bagelpay')),
  scope    text NOT NULL CHECK (scope IN ('new', 'recent', 'all')),
  due_at   timestamptz NOT NULL,
  -- When the last one began that came to its end: what is older was read. Null: none did.
  read_to  timestamptz,
  PRIMARY KEY (provider, scope)
);

CREATE INDEX facts_of_charge ON billing.facts (provider, subject) WHERE kind IN ('payment', 'subscription');
CREATE INDEX facts_of_customer ON billing.facts (provider, lower(fact->>'customerEmail')) WHERE kind = 'subscription';

-- Charges that were paid and grant nothing: an operator has to look, and the payer is told. One row for each charge.
CREATE TABLE billing.uncredited (
  provider       text NOT NULL CHECK (provider IN ('creem', 'bagelpay')),
  transaction_id text NOT NULL,
  -- Null: nobody's, as far as we know.
  user_id        uuid REFERENCES billing.account ON DELETE CASCADE,
  order_id       uuid,
  reason         text NOT NULL,
  -- Minor units, gross; null: not told.
  amount_minor   integer,
  currency       text,
  paid_at        timestamptz,
  found_at       timestamptz NOT NULL,
  -- When the operator hears of it; what may still be told in full waits a little.
  alert_at       timestamptz NOT NULL,
  alerted_at     timestamptz,
  resolved_at    timestamptz,
  PRIMARY KEY (provider, transaction_id)
);
CREATE INDEX uncredited_alerts ON billing.uncredited (alert_at) WHERE alerted_at IS NULL AND resolved_at IS NULL;
CREATE INDEX uncredited_open ON billing.uncredited (found_at) WHERE resolved_at IS NULL;
CREATE INDEX uncredited_of_user ON billing.uncredited (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX uncredited_of_order ON billing.uncredited (order_id) WHERE order_id IS NOT NULL;

-- The plan that a user wants instead of what runs, from the end of the paid period on. Nothing is charged for it.
CREATE TABLE billing.plan_wishes (
  user_id   uuid PRIMARY KEY REFERENCES billing.account ON DELETE CASCADE,
  plan_key  text NOT NULL CHECK (plan_key IN ('gemini_basic', 'gemini_pro')),
  cycle     text NOT NULL CHECK (cycle IN ('monthly', 'annual')),
  -- The order whose subscription ends for it.
  order_id  uuid NOT NULL,
  wished_at timestamptz NOT NULL
);
