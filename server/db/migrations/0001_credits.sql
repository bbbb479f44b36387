-- The credit ledger. Nothing outside this file writes to its tables.
--
-- Every function that moves credits first locks the user's account row in a statement of its own and only then reads, so
-- it must run under READ COMMITTED and stay VOLATILE: each statement after the lock sees what the last holder committed.
-- p_at is the time of the operation; null means the database's clock, read after the lock was granted.

CREATE SCHEMA credit;

-- One row a user, and the only lock. It holds no balance: what can be spent is the sum of the user's buckets.
CREATE TABLE credit.account (
  user_id     uuid PRIMARY KEY REFERENCES public.users ON DELETE CASCADE,
  free_anchor timestamptz NOT NULL,
  frozen_at   timestamptz
);

-- One grant. Its counters say where its credits are now; they always add up to the amount.
CREATE TABLE credit.bucket (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id       uuid NOT NULL REFERENCES credit.account ON DELETE CASCADE,
  kind          text NOT NULL CHECK (kind IN ('free', 'subscription', 'adjustment')),
  source_key    text NOT NULL CHECK (length(source_key) BETWEEN 1 AND 200),
  payment_key   text UNIQUE CHECK (length(payment_key) BETWEEN 1 AND 200),
  order_id      uuid,
  amount        integer NOT NULL CHECK (amount BETWEEN 1 AND 1000000),
  available     integer NOT NULL,
  held          integer NOT NULL DEFAULT 0,
  spent         integer NOT NULL DEFAULT 0,
  expired       integer NOT NULL DEFAULT 0,
  revoked       integer NOT NULL DEFAULT 0,
  revoke_target integer NOT NULL DEFAULT 0,
  revoke_reason text CHECK (revoke_reason ~ '^[a-z][a-z0-9_]{0,39}$'),
  starts_at     timestamptz NOT NULL,
  expires_at    timestamptz NOT NULL CHECK (isfinite(expires_at)),
  ended_at      timestamptz,  -- when its expiry was booked
  CONSTRAINT bucket_source UNIQUE (user_id, source_key),
  CONSTRAINT bucket_period CHECK (starts_at < expires_at),
  CONSTRAINT bucket_never_negative CHECK (available >= 0 AND held >= 0 AND spent >= 0 AND expired >= 0 AND revoked >= 0),
  CONSTRAINT bucket_conserved CHECK (available + held + spent + expired + revoked = amount),
  CONSTRAINT bucket_claim_bounded CHECK (revoked <= revoke_target AND revoke_target <= amount),
  CONSTRAINT bucket_claim_comes_first CHECK (available = 0 OR revoked = revoke_target),
  CONSTRAINT bucket_claim_has_reason CHECK ((revoke_target = 0) = (revoke_reason IS NULL)),
  CONSTRAINT bucket_stays_ended CHECK (ended_at IS NULL OR available = 0)
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);

-- No index names a counter, so that taking and closing holds stay heap-only updates. The second predicate of bucket_due is
-- true of every row: it keeps the planner from walking that index for one user while the statistics are young.
CREATE INDEX bucket_open ON credit.bucket (user_id, expires_at, id) WHERE ended_at IS NULL;
CREATE INDEX bucket_due ON credit.bucket (expires_at) WHERE ended_at IS NULL AND expires_at IS NOT NULL;

-- One priced message; its id is the message's id, so the primary key is the proof that a message is charged once.
CREATE TABLE credit.hold (
  user_id    uuid NOT NULL REFERENCES credit.account ON DELETE CASCADE,
  id         uuid NOT NULL,
  model      text NOT NULL,
  cost       integer NOT NULL CHECK (cost > 0),
  state      text NOT NULL DEFAULT 'held' CHECK (state IN ('held', 'settled', 'released')),
  reason     text,
  created_at timestamptz NOT NULL,
  closed_at  timestamptz,
  PRIMARY KEY (user_id, id),
  CONSTRAINT hold_closed_has_time CHECK ((state = 'held') = (closed_at IS NULL)),
  CONSTRAINT hold_closed_has_reason CHECK ((state = 'held') = (reason IS NULL))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);

-- Append-only. Each row moves credits of one bucket from src to dst. Rows of one operation that the user sees as one line
-- carry the line's whole change of the spendable balance on their last row only; rows the user does not see carry none.
CREATE TABLE credit.transfer (
  user_id       uuid NOT NULL REFERENCES credit.account ON DELETE CASCADE,
  id            bigint GENERATED ALWAYS AS IDENTITY,
  bucket_id     bigint NOT NULL,
  hold_id       uuid,
  src           text NOT NULL,
  dst           text NOT NULL,
  amount        integer NOT NULL CHECK (amount > 0),
  line_change   integer,
  balance_after integer NOT NULL CHECK (balance_after >= 0),
  reason        text NOT NULL CHECK (reason ~ '^[a-z][a-z0-9_]{0,39}$'),
  at            timestamptz NOT NULL,
  PRIMARY KEY (user_id, id),
  FOREIGN KEY (user_id, hold_id) REFERENCES credit.hold ON DELETE CASCADE,
  CONSTRAINT transfer_move CHECK ((src, dst) IN (
    ('issue', 'available'), ('available', 'held'), ('held', 'spent'), ('held', 'available'),
    ('available', 'expired'), ('available', 'revoked')))
) WITH (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

CREATE UNIQUE INDEX transfer_issue_once ON credit.transfer (bucket_id) WHERE src = 'issue';
-- A hold takes from a bucket once and gives it back or spends it once, whichever comes first.
CREATE UNIQUE INDEX transfer_hold_once ON credit.transfer (hold_id, user_id, bucket_id, src) WHERE hold_id IS NOT NULL;

-- Which buckets a hold took from: the transfers that took it.
CREATE VIEW credit.receipt AS
  SELECT user_id, hold_id, bucket_id, amount FROM credit.transfer WHERE dst = 'held';

CREATE FUNCTION credit.refuse_change() RETURNS trigger LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'the credit ledger is append-only' USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME;
END $$;

CREATE TRIGGER transfer_is_final BEFORE UPDATE OR TRUNCATE ON credit.transfer
  FOR EACH STATEMENT EXECUTE FUNCTION credit.refuse_change();
CREATE TRIGGER bucket_not_emptied BEFORE TRUNCATE ON credit.bucket
  FOR EACH STATEMENT EXECUTE FUNCTION credit.refuse_change();

-- A ledger goes only together with its user, by the cascade from users: by then the user's row is gone.
CREATE FUNCTION credit.refuse_delete() RETURNS trigger LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM public.users WHERE id = OLD.user_id) THEN
    RAISE EXCEPTION 'the credit ledger is append-only' USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER account_stays BEFORE DELETE ON credit.account FOR EACH ROW EXECUTE FUNCTION credit.refuse_delete();
CREATE TRIGGER bucket_stays BEFORE DELETE ON credit.bucket FOR EACH ROW EXECUTE FUNCTION credit.refuse_delete();
CREATE TRIGGER hold_stays BEFORE DELETE ON credit.hold FOR EACH ROW EXECUTE FUNCTION credit.refuse_delete();
CREATE TRIGGER transfer_stays BEFORE DELETE ON credit.transfer FOR EACH ROW EXECUTE FUNCTION credit.refuse_delete();

-- The start of month n of an anchor, in UTC and always counted from the anchor: 31 Jan, 28 Feb, 31 Mar.
CREATE FUNCTION credit.free_month_start(p_anchor timestamptz, p_n integer) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT (p_anchor AT TIME ZONE 'UTC' + make_interval(months => p_n)) AT TIME ZONE 'UTC'
$$;

-- The month of the anchor that contains p_at: the largest n >= 0 whose start is not after p_at.
CREATE FUNCTION credit.free_month(p_anchor timestamptz, p_at timestamptz) RETURNS integer
LANGUAGE plpgsql IMMUTABLE SET search_path = credit, pg_temp AS $$
DECLARE
  v_from timestamp := p_anchor AT TIME ZONE 'UTC';
  v_to   timestamp := p_at AT TIME ZONE 'UTC';
  v_n    integer := (extract(year FROM v_to) - extract(year FROM v_from)) * 12
                    + extract(month FROM v_to) - extract(month FROM v_from);
BEGIN
  RETURN greatest(0, CASE WHEN free_month_start(p_anchor, v_n) > p_at THEN v_n - 1 ELSE v_n END);
END $$;

-- What can be spent as booked, and what is due: buckets whose expiry is not booked yet, a free month that has not begun.
-- A subscription that was taken back entirely no longer stands in for the free month. No pinned path, so that it is inlined.
CREATE FUNCTION credit.look(p_user uuid, p_at timestamptz)
RETURNS TABLE (balance integer, expiry_due boolean, month_due boolean) LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(available), 0)::integer,
         coalesce(bool_or(expires_at <= p_at), false),
         NOT coalesce(bool_or(expires_at > p_at
           AND (kind = 'free' OR (kind = 'subscription' AND revoke_target < amount))), false)
    FROM credit.bucket WHERE user_id = p_user AND ended_at IS NULL
$$;

-- Moves credits that must not be spendable any more out of 'available'. Returns the balance.
CREATE FUNCTION credit.take_back(p_user uuid, p_bucket bigint, p_dst text, p_amount integer, p_balance integer,
  p_reason text, p_at timestamptz) RETURNS integer
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
BEGIN
  IF p_amount > 0 THEN
    INSERT INTO transfer (user_id, bucket_id, src, dst, amount, line_change, balance_after, reason, at)
    VALUES (p_user, p_bucket, 'available', p_dst, p_amount, -p_amount, p_balance - p_amount, p_reason, p_at);
  END IF;
  RETURN p_balance - p_amount;
END $$;

-- Books what has expired, oldest first, at the time it expired. Returns the balance.
CREATE FUNCTION credit.book_expiry(p_user uuid, p_at timestamptz) RETURNS integer
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v_balance integer;
  v_last    timestamptz;
  v_bucket  record;
BEGIN
  SELECT look.balance INTO v_balance FROM look(p_user, p_at);
  SELECT at INTO v_last FROM transfer WHERE user_id = p_user ORDER BY id DESC LIMIT 1;
  FOR v_bucket IN
    SELECT id, available, greatest(expires_at, v_last) AS at FROM bucket
     WHERE user_id = p_user AND ended_at IS NULL AND expires_at <= p_at ORDER BY expires_at, id
  LOOP
    UPDATE bucket SET available = 0, expired = expired + available, ended_at = p_at WHERE id = v_bucket.id;
    v_balance := take_back(p_user, v_bucket.id, 'expired', v_bucket.available, v_balance, 'expired', v_bucket.at);
  END LOOP;
  RETURN v_balance;
END $$;

-- Adds a bucket and says so, or does nothing when its source or its payment already has one. A bucket can be spent from the
-- moment it is booked, so it starts no later than that.
CREATE FUNCTION credit.issue(p_user uuid, p_kind text, p_source_key text, p_amount integer, p_starts_at timestamptz,
  p_expires_at timestamptz, p_reason text, p_payment_key text, p_order_id uuid, p_balance integer, p_at timestamptz)
RETURNS boolean LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v_bucket bigint;
BEGIN
  INSERT INTO bucket (user_id, kind, source_key, payment_key, order_id, amount, available, starts_at, expires_at)
  VALUES (p_user, p_kind, p_source_key, p_payment_key, p_order_id, p_amount, p_amount, least(p_starts_at, p_at), p_expires_at)
  ON CONFLICT DO NOTHING RETURNING id INTO v_bucket;
  IF v_bucket IS NULL THEN
    RETURN false;
  END IF;
  INSERT INTO transfer (user_id, bucket_id, src, dst, amount, line_change, balance_after, reason, at)
  VALUES (p_user, v_bucket, 'issue', 'available', p_amount, p_amount, p_balance + p_amount, p_reason, p_at);
  RETURN true;
END $$;

-- Grants the free month that contains p_at unless it was granted before. Returns the balance.
CREATE FUNCTION credit.issue_free_month(p_user uuid, p_anchor timestamptz, p_balance integer, p_at timestamptz) RETURNS integer
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  c_credits CONSTANT integer := 40;
  v_month   integer := free_month(p_anchor, p_at);
BEGIN
  IF issue(p_user, 'free', 'free:' || v_month, c_credits, free_month_start(p_anchor, v_month),
           free_month_start(p_anchor, v_month + 1), 'free_month', NULL, NULL, p_balance, p_at) THEN
    RETURN p_balance + c_credits;
  END IF;
  RETURN p_balance;
END $$;

-- Books what is due at p_at and returns the balance.
CREATE FUNCTION credit.refresh(p_user uuid, p_anchor timestamptz, p_at timestamptz) RETURNS integer
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v record;
BEGIN
  SELECT * INTO v FROM look(p_user, p_at);
  IF v.expiry_due THEN
    v.balance := book_expiry(p_user, p_at);
  END IF;
  IF v.month_due THEN
    v.balance := issue_free_month(p_user, p_anchor, v.balance, p_at);
  END IF;
  RETURN v.balance;
END $$;

CREATE FUNCTION credit.spend_held(p_user uuid, p_hold uuid, p_balance integer, p_reason text, p_at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v_part record;
BEGIN
  FOR v_part IN SELECT bucket_id, amount FROM receipt WHERE user_id = p_user AND hold_id = p_hold LOOP
    UPDATE bucket SET held = held - v_part.amount, spent = spent + v_part.amount WHERE id = v_part.bucket_id;
    INSERT INTO transfer (user_id, bucket_id, hold_id, src, dst, amount, balance_after, reason, at)
    VALUES (p_user, v_part.bucket_id, p_hold, 'held', 'spent', v_part.amount, p_balance, p_reason, p_at);
  END LOOP;
END $$;

-- Gives a hold back to the buckets it came from; what was revoked or has expired meanwhile goes on at once, so that nothing
-- rises again. Returns the balance.
CREATE FUNCTION credit.return_held(p_user uuid, p_hold uuid, p_cost integer, p_balance integer, p_reason text, p_at timestamptz)
RETURNS integer LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v_balance integer := p_balance;
  v_left    integer := p_cost;
  v_part    record;
  v_lapsed  integer;
BEGIN
  FOR v_part IN SELECT bucket_id, amount FROM receipt WHERE user_id = p_user AND hold_id = p_hold LOOP
    v_left := v_left - v_part.amount;
    v_balance := v_balance + v_part.amount;
    INSERT INTO transfer (user_id, bucket_id, hold_id, src, dst, amount, line_change, balance_after, reason, at)
    VALUES (p_user, v_part.bucket_id, p_hold, 'held', 'available', v_part.amount, CASE v_left WHEN 0 THEN p_cost END,
            v_balance, p_reason, p_at);
  END LOOP;
  FOR v_part IN
    SELECT b.id, r.amount, least(r.amount, b.revoke_target - b.revoked) AS claimed, b.revoke_reason,
           b.ended_at IS NOT NULL OR b.expires_at <= p_at AS is_over
      FROM receipt r JOIN bucket b ON b.id = r.bucket_id WHERE r.user_id = p_user AND r.hold_id = p_hold
     ORDER BY b.expires_at, b.id
  LOOP
    v_lapsed := CASE WHEN v_part.is_over THEN v_part.amount - v_part.claimed ELSE 0 END;
    UPDATE bucket SET held = held - v_part.amount, revoked = revoked + v_part.claimed, expired = expired + v_lapsed,
                      available = available + v_part.amount - v_part.claimed - v_lapsed WHERE id = v_part.id;
    v_balance := take_back(p_user, v_part.id, 'revoked', v_part.claimed, v_balance, v_part.revoke_reason, p_at);
    v_balance := take_back(p_user, v_part.id, 'expired', v_lapsed, v_balance, 'expired', p_at);
  END LOOP;
  RETURN v_balance;
END $$;

-- ---------------------------------------------------------------------------------------------------------------------
-- The operations, each one round trip.

-- The spendable balance. Takes the lock only when something is due.
CREATE FUNCTION credit.read_balance(p_user uuid, p_at timestamptz) RETURNS integer
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v_at      timestamptz := coalesce(p_at, clock_timestamp());
  v         record;
  v_account account;
BEGIN
  SELECT * INTO v FROM look(p_user, v_at);
  IF NOT v.expiry_due AND NOT v.month_due THEN
    RETURN v.balance;
  END IF;
  SELECT * INTO STRICT v_account FROM account WHERE user_id = p_user FOR NO KEY UPDATE;
  RETURN refresh(p_user, v_account.free_anchor, coalesce(p_at, clock_timestamp()));
END $$;

-- Takes the price of a message from the buckets that expire first. result: held | duplicate | insufficient | frozen.
CREATE FUNCTION credit.take_hold(p_user uuid, p_hold uuid, p_cost integer, p_model text, p_at timestamptz,
  OUT result text, OUT balance integer)
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v_account account;
  v_at      timestamptz;
  v_bucket  record;
  v_take    integer;
  v_left    integer := p_cost;
BEGIN
  SELECT * INTO STRICT v_account FROM account WHERE user_id = p_user FOR NO KEY UPDATE;
  v_at := coalesce(p_at, clock_timestamp());
  balance := refresh(p_user, v_account.free_anchor, v_at);
  result := CASE
    WHEN EXISTS (SELECT FROM hold WHERE user_id = p_user AND id = p_hold) THEN 'duplicate'
    WHEN v_account.frozen_at IS NOT NULL THEN 'frozen'
    WHEN balance < p_cost THEN 'insufficient'
    ELSE 'held' END;
  IF result <> 'held' THEN
    RETURN;
  END IF;
  INSERT INTO hold (user_id, id, model, cost, created_at) VALUES (p_user, p_hold, p_model, p_cost, v_at);
  FOR v_bucket IN
    SELECT id, available FROM bucket
     WHERE user_id = p_user AND ended_at IS NULL AND available > 0 ORDER BY expires_at, id
  LOOP
    v_take := least(v_bucket.available, v_left);
    v_left := v_left - v_take;
    balance := balance - v_take;
    UPDATE bucket SET available = available - v_take, held = held + v_take WHERE id = v_bucket.id;
    INSERT INTO transfer (user_id, bucket_id, hold_id, src, dst, amount, line_change, balance_after, reason, at)
    VALUES (p_user, v_bucket.id, p_hold, 'available', 'held', v_take, CASE v_left WHEN 0 THEN -p_cost END, balance,
            'message', v_at);
    EXIT WHEN v_left = 0;
  END LOOP;
END $$;

-- Ends a hold: 'settled' spends it, 'released' gives it back. closed is true for exactly one caller.
CREATE FUNCTION credit.close_hold(p_user uuid, p_hold uuid, p_outcome text, p_reason text, p_at timestamptz,
  OUT closed boolean, OUT balance integer)
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v_account account;
  v_at      timestamptz;
  v_cost    integer;
BEGIN
  SELECT * INTO STRICT v_account FROM account WHERE user_id = p_user FOR NO KEY UPDATE;
  v_at := coalesce(p_at, clock_timestamp());
  balance := refresh(p_user, v_account.free_anchor, v_at);
  UPDATE hold SET state = p_outcome, reason = p_reason, closed_at = v_at
   WHERE user_id = p_user AND id = p_hold AND state = 'held' RETURNING cost INTO v_cost;
  closed := FOUND;
  IF closed AND p_outcome = 'settled' THEN
    PERFORM spend_held(p_user, p_hold, balance, p_reason, v_at);
  ELSIF closed THEN
    balance := return_held(p_user, p_hold, v_cost, balance, p_reason, v_at);
  END IF;
END $$;

-- Adds a bucket once per source and once per payment, however often it is called. One that is already over expires at once.
CREATE FUNCTION credit.grant_credits(p_user uuid, p_kind text, p_source_key text, p_payment_key text, p_order_id uuid,
  p_amount integer, p_starts_at timestamptz, p_expires_at timestamptz, p_reason text, p_at timestamptz,
  OUT granted boolean, OUT balance integer)
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v_account account;
  v_at      timestamptz;
BEGIN
  SELECT * INTO STRICT v_account FROM account WHERE user_id = p_user FOR NO KEY UPDATE;
  v_at := coalesce(p_at, clock_timestamp());
  balance := book_expiry(p_user, v_at);
  granted := issue(p_user, p_kind, p_source_key, p_amount, p_starts_at, p_expires_at, p_reason, p_payment_key, p_order_id,
                   balance, v_at);
  IF granted THEN
    balance := book_expiry(p_user, v_at);
  END IF;
END $$;

-- Takes a grant back, up to a total that only ever rises, so that refunds and disputes may be told in any order and number.
-- What a running message holds is taken when it comes back; what is spent stays visible in credit.unrecovered.
CREATE FUNCTION credit.revoke_credits(p_user uuid, p_source_key text, p_payment_key text, p_total integer, p_reason text,
  p_at timestamptz, OUT known boolean, OUT taken integer, OUT balance integer)
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v_account account;
  v_at      timestamptz;
  v_bucket  bucket;
  v_target  integer;
  v_claimed integer;
BEGIN
  SELECT * INTO STRICT v_account FROM account WHERE user_id = p_user FOR NO KEY UPDATE;
  v_at := coalesce(p_at, clock_timestamp());
  balance := book_expiry(p_user, v_at);
  SELECT * INTO v_bucket FROM bucket WHERE user_id = p_user AND (source_key = p_source_key OR payment_key = p_payment_key);
  known := FOUND;
  taken := coalesce(v_bucket.revoked, 0);
  v_target := least(p_total, v_bucket.amount);
  IF known AND v_target > v_bucket.revoke_target THEN
    v_claimed := least(v_bucket.available, v_target - v_bucket.revoked);
    UPDATE bucket SET revoke_target = v_target, revoke_reason = p_reason, available = available - v_claimed,
                      revoked = revoked + v_claimed WHERE id = v_bucket.id;
    balance := take_back(p_user, v_bucket.id, 'revoked', v_claimed, balance, p_reason, v_at);
    taken := taken + v_claimed;
  END IF;
END $$;

-- Books the expiry of at most p_limit buckets and returns their users. Skips who is busy: the next operation books it anyway.
CREATE FUNCTION credit.sweep_expired(p_limit integer, p_at timestamptz) RETURNS TABLE (user_id uuid, balance integer)
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
#variable_conflict use_column
DECLARE
  v_user uuid;
BEGIN
  FOR v_user IN
    SELECT DISTINCT due.user_id FROM (
      SELECT user_id FROM bucket WHERE ended_at IS NULL AND expires_at <= coalesce(p_at, clock_timestamp())
       ORDER BY expires_at LIMIT p_limit) due
  LOOP
    PERFORM FROM account WHERE user_id = v_user FOR NO KEY UPDATE SKIP LOCKED;
    IF FOUND THEN
      RETURN QUERY SELECT v_user, book_expiry(v_user, coalesce(p_at, clock_timestamp()));
    END IF;
  END LOOP;
END $$;

-- The account and its first free month appear with the user, in the same transaction.
CREATE FUNCTION credit.open_account() RETURNS trigger LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
BEGIN
  INSERT INTO account (user_id, free_anchor) VALUES (NEW.id, NEW.created_at);
  PERFORM issue_free_month(NEW.id, NEW.created_at, 0, NEW.created_at);
  RETURN NULL;
END $$;

CREATE TRIGGER open_credit_account AFTER INSERT ON public.users FOR EACH ROW EXECUTE FUNCTION credit.open_account();

-- ---------------------------------------------------------------------------------------------------------------------
-- Checks. Every drift view is empty, always.

-- The counters of a bucket are what its transfers add up to.
CREATE VIEW credit.bucket_drift AS
  SELECT user_id, bucket_id, place, sum(amount) AS difference
    FROM (SELECT user_id, bucket_id, dst AS place, amount FROM credit.transfer
          UNION ALL
          SELECT user_id, bucket_id, src, -amount FROM credit.transfer
          UNION ALL
          SELECT b.user_id, b.id, counter.place, -counter.amount
            FROM credit.bucket b, LATERAL (VALUES ('issue', -b.amount), ('available', b.available), ('held', b.held),
              ('spent', b.spent), ('expired', b.expired), ('revoked', b.revoked)) AS counter (place, amount)) AS movement
   GROUP BY user_id, bucket_id, place HAVING sum(amount) <> 0;

-- A hold took its cost, and spent or returned all of it or nothing; a bucket holds what its open holds took.
CREATE VIEW credit.hold_drift AS
  SELECT h.user_id, h.id AS hold_id, NULL::bigint AS bucket_id
    FROM credit.hold h LEFT JOIN (
      SELECT user_id, hold_id, sum(amount) FILTER (WHERE dst = 'held') AS taken, sum(amount) FILTER (WHERE dst = 'spent') AS spent,
             sum(amount) FILTER (WHERE dst = 'available') AS returned
        FROM credit.transfer WHERE hold_id IS NOT NULL GROUP BY user_id, hold_id) AS t ON t.user_id = h.user_id AND t.hold_id = h.id
   WHERE (t.taken, t.spent, t.returned) IS DISTINCT FROM
         (h.cost, CASE h.state WHEN 'settled' THEN h.cost END, CASE h.state WHEN 'released' THEN h.cost END)
  UNION ALL
  SELECT b.user_id, NULL, b.id
    FROM credit.bucket b LEFT JOIN (
      SELECT r.user_id, r.bucket_id, sum(r.amount) AS amount
        FROM credit.receipt r JOIN credit.hold h ON h.user_id = r.user_id AND h.id = r.hold_id AND h.state = 'held'
       GROUP BY r.user_id, r.bucket_id) AS open_hold ON open_hold.user_id = b.user_id AND open_hold.bucket_id = b.id
   WHERE b.held <> coalesce(open_hold.amount, 0);

-- Each balance follows from the one before it, the lines the user sees add up to it, and the last one is what can be spent.
CREATE VIEW credit.balance_drift AS
  SELECT user_id, id AS transfer_id
    FROM (SELECT user_id, id, balance_after, line_change,
                 sum(CASE 'available' WHEN dst THEN amount WHEN src THEN -amount ELSE 0 END) OVER history AS moved,
                 sum(line_change) OVER history AS told
            FROM credit.transfer WINDOW history AS (PARTITION BY user_id ORDER BY id)) AS chain
   WHERE balance_after <> moved OR (line_change IS NOT NULL AND balance_after <> told)
  UNION ALL
  SELECT a.user_id, last.id
    FROM credit.account a
    LEFT JOIN LATERAL (
      SELECT id, balance_after FROM credit.transfer t WHERE t.user_id = a.user_id ORDER BY id DESC LIMIT 1) AS last ON true
   WHERE coalesce(last.balance_after, 0) <>
         (SELECT coalesce(sum(b.available), 0) FROM credit.bucket b WHERE b.user_id = a.user_id);

CREATE VIEW credit.drift AS
  SELECT 'bucket' AS kind, user_id, to_jsonb(d) - 'user_id' AS detail FROM credit.bucket_drift d
  UNION ALL
  SELECT 'hold', user_id, to_jsonb(d) - 'user_id' FROM credit.hold_drift d
  UNION ALL
  SELECT 'balance', user_id, to_jsonb(d) - 'user_id' FROM credit.balance_drift d;

-- For the operator: credits of a refunded or disputed grant that were spent before they could be taken back.
CREATE VIEW credit.unrecovered AS
  SELECT user_id, id AS bucket_id, source_key, payment_key, order_id, revoke_reason AS reason, revoke_target, revoked, expired,
         spent, revoke_target - revoked - expired AS missing
    FROM credit.bucket WHERE held = 0 AND revoke_target - revoked - expired > 0;
