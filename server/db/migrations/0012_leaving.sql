-- Leaving: one free month for each address whatever its accounts, accounts that are closed for good, what waits for a provider
-- before it is forgotten; and what users keep of their own: a picture, exports.

-- ---------------------------------------------------------------------------------------------------------------------
-- One free month for an address. The hash is keyed (normalise-address.ts), so that it says nothing to whoever reads the table.

ALTER TABLE users ADD COLUMN address_hash bytea CHECK (length(address_hash) = 32);

-- Until when the last free month lives that any account of the address was given. It outlives the account, and goes when over.
CREATE TABLE address_grants (
  address_hash bytea PRIMARY KEY CHECK (length(address_hash) = 32),
  free_until   timestamptz NOT NULL
);
CREATE INDEX address_grants_age ON address_grants (free_until);

-- Another account of the same address has the free month until then; closed_at: nothing can be spent or granted any more.
ALTER TABLE credit.account ADD COLUMN free_taken_until timestamptz, ADD COLUMN closed_at timestamptz;

-- As in 0004, with both.
CREATE OR REPLACE FUNCTION credit.look(p_user uuid, p_at timestamptz)
RETURNS TABLE (balance integer, expiry_due boolean, month_due boolean) LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(available), 0)::integer,
         coalesce(bool_or(expires_at <= p_at), false),
         NOT coalesce(bool_or(expires_at > p_at
           AND (kind = 'free' OR (kind = 'subscription' AND revoke_target < amount))), false)
         AND NOT EXISTS (SELECT FROM credit.account a WHERE a.user_id = p_user
           AND (a.free_paused_until > p_at OR a.free_taken_until > p_at OR a.closed_at IS NOT NULL))
    FROM credit.bucket WHERE user_id = p_user AND ended_at IS NULL
$$;

-- Takes the user's address for the month from p_from to p_until. Returns null, or until when the address has a month that this one
-- would overlap.
CREATE FUNCTION credit.claim_address(p_user uuid, p_from timestamptz, p_until timestamptz) RETURNS timestamptz
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v_hash  bytea;
  v_taken timestamptz;
BEGIN
  SELECT address_hash INTO v_hash FROM public.users WHERE id = p_user;
  IF v_hash IS NULL THEN
    RETURN NULL;
  END IF;
  INSERT INTO public.address_grants AS g (address_hash, free_until) VALUES (v_hash, p_until)
  ON CONFLICT (address_hash) DO UPDATE SET free_until = excluded.free_until WHERE g.free_until <= p_from;
  IF FOUND THEN
    RETURN NULL;
  END IF;
  SELECT free_until INTO v_taken FROM public.address_grants WHERE address_hash = v_hash;
  RETURN v_taken;
END $$;

-- Grants the free month that contains p_at unless it was granted before, or would overlap one that another account of the address
-- was given. Then an account that never had one counts its months from the end of that one, any other waits for its next month
-- that begins after it. Returns the balance.
CREATE OR REPLACE FUNCTION credit.issue_free_month(p_user uuid, p_anchor timestamptz, p_balance integer, p_at timestamptz)
RETURNS integer LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  c_credits CONSTANT integer := 40;
  v_month   integer := free_month(p_anchor, p_at);
  v_start   timestamptz := free_month_start(p_anchor, v_month);
  v_taken   timestamptz;
BEGIN
  IF EXISTS (SELECT FROM bucket WHERE user_id = p_user AND source_key = 'free:' || v_month) THEN
    RETURN p_balance;
  END IF;
  v_taken := claim_address(p_user, v_start, free_month_start(p_anchor, v_month + 1));
  IF v_taken IS NULL THEN
    PERFORM issue(p_user, 'free', 'free:' || v_month, c_credits, v_start, free_month_start(p_anchor, v_month + 1),
                  'free_month', NULL, NULL, p_balance, p_at);
    RETURN p_balance + c_credits;
  END IF;
  IF EXISTS (SELECT FROM bucket WHERE user_id = p_user AND kind = 'free') THEN
    v_month := free_month(p_anchor, v_taken);
    IF free_month_start(p_anchor, v_month) < v_taken THEN
      v_month := v_month + 1;
    END IF;
    UPDATE account SET free_taken_until = free_month_start(p_anchor, v_month) WHERE user_id = p_user;
    RETURN p_balance;
  END IF;
  UPDATE account SET free_taken_until = v_taken, free_anchor = v_taken WHERE user_id = p_user;
  IF v_taken > p_at THEN
    RETURN p_balance;
  END IF;
  -- The row of the address is locked since the claim, so that this one succeeds.
  RETURN issue_free_month(p_user, v_taken, p_balance, p_at);
END $$;

-- Whoever changes the address takes the free month along: no other account of the new address has one beside it.
CREATE FUNCTION credit.carry_address() RETURNS trigger LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
BEGIN
  INSERT INTO public.address_grants AS g (address_hash, free_until)
  SELECT NEW.address_hash, max(expires_at) FROM bucket WHERE user_id = NEW.id AND kind = 'free' AND ended_at IS NULL
  HAVING max(expires_at) IS NOT NULL
  ON CONFLICT (address_hash) DO UPDATE SET free_until = greatest(g.free_until, excluded.free_until);
  RETURN NULL;
END $$;
CREATE TRIGGER users_carry_address AFTER UPDATE OF address_hash ON users FOR EACH ROW
  WHEN (NEW.address_hash IS NOT NULL AND NEW.address_hash IS DISTINCT FROM OLD.address_hash)
  EXECUTE FUNCTION credit.carry_address();

-- ---------------------------------------------------------------------------------------------------------------------
-- Accounts that are closed for good. The ledger and the payments of a deleted account stay, under an id that is nobody's.

ALTER TABLE users
  ADD COLUMN leaving_at timestamptz,  -- its user asked for the deletion: there is no way back
  ADD COLUMN deleted_at timestamptz,
  ALTER COLUMN email DROP NOT NULL,
  ADD CONSTRAINT users_deleted_is_nobody CHECK (CASE WHEN deleted_at IS NULL THEN email IS NOT NULL ELSE leaving_at IS NOT NULL
    AND email IS NULL AND display_name = '' AND photo_url IS NULL AND address_hash IS NULL END);

CREATE INDEX users_deleted ON users (deleted_at) WHERE deleted_at IS NOT NULL;

-- What is left to be done until an account is deleted; also the queue of those who do it.
CREATE TABLE departures (
  user_id     uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  asked_at    timestamptz NOT NULL,
  tries       integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL,
  done_at     timestamptz,
  error       text  -- what it waits for
);
CREATE INDEX departures_due ON departures (next_try_at) WHERE done_at IS NULL;

-- Nothing new belongs to an account that is being deleted. The lock waits for whoever deletes it just now.
CREATE FUNCTION refuse_leaving() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM users WHERE id = NEW.user_id AND leaving_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the account is being deleted' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'account_leaving';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER sessions_of_nobody BEFORE INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION refuse_leaving();
CREATE TRIGGER identities_of_nobody BEFORE INSERT ON identities FOR EACH ROW EXECUTE FUNCTION refuse_leaving();
CREATE TRIGGER api_keys_of_nobody BEFORE INSERT ON api_keys FOR EACH ROW EXECUTE FUNCTION refuse_leaving();
CREATE TRIGGER second_factors_of_nobody BEFORE INSERT ON second_factors FOR EACH ROW EXECUTE FUNCTION refuse_leaving();
CREATE TRIGGER enrolments_of_nobody BEFORE INSERT ON enrolments FOR EACH ROW EXECUTE FUNCTION refuse_leaving();
CREATE TRIGGER passkeys_of_nobody BEFORE INSERT ON passkeys FOR EACH ROW EXECUTE FUNCTION refuse_leaving();
CREATE TRIGGER sign_in_steps_of_nobody BEFORE INSERT ON sign_in_steps FOR EACH ROW EXECUTE FUNCTION refuse_leaving();
CREATE TRIGGER orders_of_nobody BEFORE INSERT ON billing.orders FOR EACH ROW EXECUTE FUNCTION refuse_leaving();

-- Nothing is spent from the account or granted to it any more. What is left lapses when its time is over.
CREATE FUNCTION credit.close_account(p_user uuid, p_at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
BEGIN
  UPDATE account SET closed_at = coalesce(p_at, clock_timestamp()),
         frozen_at = coalesce(frozen_at, p_at, clock_timestamp())
   WHERE user_id = p_user AND closed_at IS NULL;
END $$;

-- As in 0001, but a closed account is granted nothing.
CREATE OR REPLACE FUNCTION credit.grant_credits(p_user uuid, p_kind text, p_source_key text, p_payment_key text,
  p_order_id uuid, p_amount integer, p_starts_at timestamptz, p_expires_at timestamptz, p_reason text, p_at timestamptz,
  OUT granted boolean, OUT balance integer)
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v_account account;
  v_at      timestamptz;
BEGIN
  SELECT * INTO STRICT v_account FROM account WHERE user_id = p_user FOR NO KEY UPDATE;
  v_at := coalesce(p_at, clock_timestamp());
  balance := book_expiry(p_user, v_at);
  granted := false;
  IF v_account.closed_at IS NULL THEN
    granted := issue(p_user, p_kind, p_source_key, p_amount, p_starts_at, p_expires_at, p_reason, p_payment_key, p_order_id,
                     balance, v_at);
  END IF;
  IF granted THEN
    balance := book_expiry(p_user, v_at);
  END IF;
END $$;

-- Subscriptions of a deleted account are cancelled.
ALTER TABLE billing.cancellations DROP CONSTRAINT cancellations_reason_check;
ALTER TABLE billing.cancellations ADD CONSTRAINT cancellations_reason_check
  CHECK (reason IN ('user', 'replaced', 'refunded', 'disputed', 'operator', 'left'));

-- ---------------------------------------------------------------------------------------------------------------------
-- A user's picture, made by us from what was uploaded; its address names its hash, so that it never changes.

CREATE TABLE pictures (
  user_id    uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  hash       text NOT NULL CHECK (length(hash) = 43),  -- SHA-256 of the image, base64url
  image      bytea NOT NULL CHECK (length(image) <= 1000000),  -- WebP
  created_at timestamptz NOT NULL
);
ALTER TABLE pictures ALTER COLUMN image SET STORAGE EXTERNAL;
CREATE TRIGGER pictures_of_nobody BEFORE INSERT OR UPDATE ON pictures FOR EACH ROW EXECUTE FUNCTION refuse_leaving();

-- A user's data as one ZIP; also the queue of those who make it. It goes a week after it was made.
CREATE TABLE exports (
  id           uuid PRIMARY KEY,
  user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  language     text NOT NULL CHECK (language IN ('zh', 'en')),
  state        text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'ready', 'failed')),
  requested_at timestamptz NOT NULL,
  tries        integer NOT NULL DEFAULT 0,
  next_try_at  timestamptz NOT NULL,
  size         bigint,
  ended_at     timestamptz,
  expires_at   timestamptz,
  error        text,
  CONSTRAINT exports_ended_has_time CHECK ((state = 'waiting') = (ended_at IS NULL)),
  CONSTRAINT exports_ready_is_whole CHECK ((state = 'ready') = (size IS NOT NULL AND expires_at IS NOT NULL))
);
CREATE UNIQUE INDEX exports_one_at_a_time ON exports (user_id) WHERE state = 'waiting';
CREATE INDEX exports_newest ON exports (user_id, requested_at DESC);
CREATE INDEX exports_due ON exports (next_try_at) WHERE state = 'waiting';
CREATE TRIGGER exports_of_nobody BEFORE INSERT ON exports FOR EACH ROW EXECUTE FUNCTION refuse_leaving();

-- try: which attempt wrote it, so that one that was given up and goes on cannot mix into the next.
CREATE TABLE export_chunks (
  export_id uuid NOT NULL REFERENCES exports ON DELETE CASCADE,
  try       integer NOT NULL,
  number    integer NOT NULL,
  bytes     bytea NOT NULL,
  PRIMARY KEY (export_id, try, number)
);
ALTER TABLE export_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;
