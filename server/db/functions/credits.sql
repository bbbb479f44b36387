-- The credit ledger: functions and triggers. Nothing outside this file writes to the tables of the schema `credit`. Applied again
-- when this text changes; CONTRIBUTING.md says how to change one.
--
-- Every function that moves credits first locks the user's account row in a statement of its own and only then reads, so it must
-- run under READ COMMITTED and stay VOLATILE: each statement after the lock sees what the last holder committed. p_at is the time
-- of the operation; null means the database's clock, read after the lock was granted. An unknown user is an error (no_data_found).

-- ---------------------------------------------------------------------------------------------------------------------
-- The operations, each one round trip. Called by credits/store.ts and by the functions of chat.sql and openai-api.sql.

-- The spendable balance. Takes the lock only when something is due.
CREATE OR REPLACE FUNCTION credit.read_balance(p_user uuid, p_at timestamptz) RETURNS integer
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

-- Takes the price of a message from the buckets that expire first.
-- Called by send_message() of chat.sql, send_api_message() of openai-api.sql and take_more().
-- In:  p_hold, the message's id, with take_more that of what was asked; p_reason, of the line in the statement:
--      message | api | more_steps; p_note, the name of the API key.
-- Out: result, one of held | duplicate | insufficient | frozen; balance after it.
CREATE OR REPLACE FUNCTION credit.take_hold(p_user uuid, p_hold uuid, p_cost integer, p_model text, p_at timestamptz,
  p_reason text DEFAULT 'message', p_note text DEFAULT NULL, OUT result text, OUT balance integer)
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
  INSERT INTO hold (user_id, id, model, cost, created_at, note) VALUES (p_user, p_hold, p_model, p_cost, v_at, p_note);
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
            p_reason, v_at);
    EXIT WHEN v_left = 0;
  END LOOP;
END $$;

-- Ends a hold. A hold is released in three ways: its answer ended without a charge (end_message of chat.sql), it was interrupted
-- (interrupt_messages there: its process is gone or stops, or its end cannot be stored), or steps of a browser did not run (close_more).
-- In: p_outcome, settled (spent) | released (returned to its buckets). Out: closed, true for exactly one caller.
CREATE OR REPLACE FUNCTION credit.close_hold(p_user uuid, p_hold uuid, p_outcome text, p_reason text, p_at timestamptz,
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

-- Gives back what was held and settled for a message and did not run. Called by end_message() of chat.sql, in the transaction that
-- settled the hold. What ends last comes back first, so that credits are spent from the grant that ends first.
-- In:  p_charge, what stays spent; p_lines, what for; p_balance, the balance now. Out: the balance after it.
CREATE OR REPLACE FUNCTION credit.return_unused(p_user uuid, p_hold uuid, p_charge integer, p_lines jsonb, p_balance integer,
  p_at timestamptz) RETURNS integer
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v_at      timestamptz := coalesce(p_at, clock_timestamp());
  v_balance integer := p_balance;
  v_unused  integer;
  v_left    integer;
  v_back    integer;
  v_part    record;
BEGIN
  PERFORM FROM account WHERE user_id = p_user FOR NO KEY UPDATE;
  UPDATE hold SET charged = p_charge, lines = p_lines
   WHERE user_id = p_user AND id = p_hold AND state = 'settled' AND charged IS NULL RETURNING cost - p_charge INTO STRICT v_unused;
  v_left := v_unused;
  FOR v_part IN
    SELECT r.bucket_id, r.amount FROM receipt r JOIN bucket b ON b.id = r.bucket_id
     WHERE r.user_id = p_user AND r.hold_id = p_hold ORDER BY b.expires_at DESC, b.id DESC
  LOOP
    EXIT WHEN v_left = 0;
    v_back := least(v_part.amount, v_left);
    v_left := v_left - v_back;
    v_balance := v_balance + v_back;
    INSERT INTO transfer (user_id, bucket_id, hold_id, src, dst, amount, line_change, balance_after, reason, at)
    VALUES (p_user, v_part.bucket_id, p_hold, 'spent', 'available', v_back, CASE v_left WHEN 0 THEN v_unused END, v_balance,
            'unused', v_at);
  END LOOP;
  RETURN pass_on(p_user, p_hold, 'spent', v_balance, v_at);
END $$;

-- Takes more for a message that runs, as a hold of its own under the id of what was asked: once, however often it is called. Called by
-- answer_confirmation() of computer.sql. In: p_hold, the message's; p_more, the id of this one. Out: as of take_hold.
CREATE OR REPLACE FUNCTION credit.take_more(p_user uuid, p_hold uuid, p_more uuid, p_cost integer, p_at timestamptz,
  OUT result text, OUT balance integer)
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v_model text;
BEGIN
  PERFORM FROM account WHERE user_id = p_user FOR NO KEY UPDATE;
  SELECT model INTO STRICT v_model FROM hold WHERE user_id = p_user AND id = p_hold AND state = 'held';
  SELECT t.result, t.balance INTO result, balance FROM take_hold(p_user, p_more, p_cost, v_model, p_at, 'more_steps') t;
  IF result = 'held' THEN
    UPDATE hold SET of_hold = p_hold WHERE user_id = p_user AND id = p_more;
  END IF;
END $$;

-- Ends what was taken with take_more, in the transaction that ended the message's own hold. Called by end_message() and
-- interrupt_messages() of chat.sql. In: p_charge, what the message is charged in all; p_balance, the balance now.
-- Out: spent, what of p_charge was spent of these; balance. What is not reached by p_charge comes back.
CREATE OR REPLACE FUNCTION credit.close_more(p_user uuid, p_hold uuid, p_charge integer, p_reason text, p_balance integer, p_at timestamptz,
  OUT spent integer, OUT balance integer)
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v_own     integer;
  v_more    record;
  v_is_used boolean;
BEGIN
  spent := 0;
  balance := p_balance;
  SELECT cost INTO STRICT v_own FROM hold WHERE user_id = p_user AND id = p_hold;
  FOR v_more IN
    SELECT id, cost FROM hold WHERE user_id = p_user AND of_hold = p_hold AND state = 'held' ORDER BY created_at, id
  LOOP
    v_is_used := p_charge >= v_own + spent + v_more.cost;
    SELECT c.balance INTO balance
      FROM close_hold(p_user, v_more.id, CASE WHEN v_is_used THEN 'settled' ELSE 'released' END,
                      CASE WHEN v_is_used OR p_charge = 0 THEN p_reason ELSE 'unused' END, p_at) c;
    spent := spent + CASE WHEN v_is_used THEN v_more.cost ELSE 0 END;
  END LOOP;
END $$;

-- Adds a bucket once per source and once per payment, however often it is called. One that is already over expires at once; a
-- closed account is granted nothing. In: p_kind, free | subscription | adjustment. Out: granted, false for a repeated call.
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

-- Takes a grant back. It raises the target of the grant to p_total and never lowers it (only restore_credits does), so that refunds
-- and disputes may arrive in any order and number. What an operator took by hand (reason correction, where p_total is all of the
-- target) comes on top of what they take, whichever is first.
-- What a running message holds is taken when it comes back; what is spent stays visible in credit.unrecovered.
-- In:  the grant, by its source or its payment. Out: known, whether there is one; taken, all that was taken of it so far.
CREATE OR REPLACE FUNCTION credit.revoke_credits(p_user uuid, p_source_key text, p_payment_key text, p_total integer, p_reason text,
  p_at timestamptz, OUT known boolean, OUT taken integer, OUT balance integer)
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v_account account;
  v_at      timestamptz;
  v_bucket  bucket;
  v_target  integer;
  v_revoked integer;
BEGIN
  SELECT * INTO STRICT v_account FROM account WHERE user_id = p_user FOR NO KEY UPDATE;
  v_at := coalesce(p_at, clock_timestamp());
  balance := book_expiry(p_user, v_at);
  SELECT * INTO v_bucket FROM bucket WHERE user_id = p_user AND (source_key = p_source_key OR payment_key = p_payment_key);
  known := FOUND;
  taken := coalesce(v_bucket.revoked, 0);
  IF p_reason <> 'correction' THEN
    p_total := p_total + by_hand(p_user, v_bucket.id);
  END IF;
  v_target := least(p_total, v_bucket.amount);
  IF known AND v_target > v_bucket.revoke_target THEN
    v_revoked := least(v_bucket.available, v_target - v_bucket.revoked);
    UPDATE bucket SET revoke_target = v_target, revoke_reason = p_reason, available = available - v_revoked,
                      revoked = revoked + v_revoked WHERE id = v_bucket.id;
    balance := take_back(p_user, v_bucket.id, 'revoked', v_revoked, balance, p_reason, v_at);
    taken := taken + v_revoked;
  END IF;
END $$;

-- Lowers the target of a grant to p_total and what an operator took by hand, and returns the credits taken beyond that; those of a
-- bucket that has ended expire at once.
-- Out: given, the credits returned.
CREATE OR REPLACE FUNCTION credit.restore_credits(p_user uuid, p_payment_key text, p_total integer, p_at timestamptz,
  OUT given integer, OUT balance integer)
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v_account account;
  v_at      timestamptz;
  v_bucket  bucket;
  v_by_hand integer;
  v_target  integer;
  v_lapsed  integer;
BEGIN
  SELECT * INTO STRICT v_account FROM account WHERE user_id = p_user FOR NO KEY UPDATE;
  v_at := coalesce(p_at, clock_timestamp());
  balance := book_expiry(p_user, v_at);
  given := 0;
  SELECT * INTO v_bucket FROM bucket WHERE user_id = p_user AND payment_key = p_payment_key;
  v_by_hand := by_hand(p_user, v_bucket.id);
  v_target := p_total + v_by_hand;
  IF v_bucket.id IS NULL OR v_target >= v_bucket.revoke_target THEN
    RETURN;
  END IF;
  given := greatest(0, v_bucket.revoked - v_target);
  v_lapsed := CASE WHEN v_bucket.ended_at IS NULL THEN 0 ELSE given END;
  UPDATE bucket SET revoke_target = v_target,
                    revoke_reason = CASE WHEN p_total > 0 THEN revoke_reason WHEN v_by_hand > 0 THEN 'correction' END,
                    revoked = revoked - given, available = available + given - v_lapsed, expired = expired + v_lapsed
   WHERE id = v_bucket.id;
  IF given > 0 THEN
    INSERT INTO transfer (user_id, bucket_id, src, dst, amount, line_change, balance_after, reason, at)
    VALUES (p_user, v_bucket.id, 'revoked', 'available', given, given, balance + given, 'restored', v_at);
  END IF;
  balance := take_back(p_user, v_bucket.id, 'expired', v_lapsed, balance + given, 'expired', v_at);
END $$;

-- Sets until when no free month begins; null ends the pause. Called when a plan is paid or ends.
CREATE OR REPLACE FUNCTION credit.pause_free_months(p_user uuid, p_until timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
BEGIN
  UPDATE account SET free_paused_until = p_until WHERE user_id = p_user AND free_paused_until IS DISTINCT FROM p_until;
END $$;

-- Nothing is spent from the account or granted to it any more. What is left lapses when its time is over. Called by
-- credits/close-credit-account.ts when an account is deleted.
CREATE OR REPLACE FUNCTION credit.close_account(p_user uuid, p_at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
BEGIN
  UPDATE account SET closed_at = coalesce(p_at, clock_timestamp()),
         frozen_at = coalesce(frozen_at, p_at, clock_timestamp())
   WHERE user_id = p_user AND closed_at IS NULL;
END $$;

-- Books what has expired of at most p_limit buckets, the longest expired first; an account that is locked is left for the next time. Called by
-- the job of credits. Out: the users and their balances.
CREATE OR REPLACE FUNCTION credit.sweep_expired(p_limit integer, p_at timestamptz) RETURNS TABLE (user_id uuid, balance integer)
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
#variable_conflict use_column
DECLARE
  v_now  timestamptz := coalesce(p_at, clock_timestamp());
  v_user uuid;
BEGIN
  FOR v_user IN
    SELECT DISTINCT due.user_id FROM (
      SELECT user_id FROM bucket WHERE ended_at IS NULL AND expires_at <= v_now ORDER BY expires_at LIMIT p_limit) due
  LOOP
    PERFORM FROM account WHERE user_id = v_user FOR NO KEY UPDATE SKIP LOCKED;
    IF FOUND THEN
      RETURN QUERY SELECT v_user, book_expiry(v_user, v_now);
    END IF;
  END LOOP;
END $$;

-- Checks what was booked since the last look (decision 54). Called by credits/store.ts.
-- In:  p_limit, how many numbers of transfers are looked at; p_settled, how long ago the newest of them was noted: longer than a
--      transaction lasts, so that none with a lower number is still open.
-- Out: what does not fit, as in credit.drift; nothing while another process looks.
CREATE OR REPLACE FUNCTION credit.check_booked(p_limit integer, p_settled interval)
RETURNS TABLE (kind text, user_id uuid, detail jsonb)
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v    checking;
  v_to bigint;
BEGIN
  SELECT * INTO v FROM checking FOR UPDATE SKIP LOCKED;
  IF NOT FOUND OR v.noted_at > clock_timestamp() - p_settled THEN
    RETURN;
  END IF;
  v_to := least(v.checked_to + p_limit, v.until);
  RETURN QUERY SELECT * FROM check_accounts(v.checked_to, v_to);
  IF v_to < v.until THEN
    UPDATE checking SET checked_to = v_to;
  ELSE
    UPDATE checking SET checked_to = v_to, until = (SELECT last_value FROM transfer_id_seq), noted_at = clock_timestamp();
  END IF;
END $$;

-- Checks the accounts with transfers of some numbers, from where each was last checked, and notes how far it came. Called by
-- credit.check_booked. The cost is what was booked since, whatever the account booked before: each table is asked account by
-- account, which OFFSET 0 ensures. One statement, so that all of it is read at one moment.
CREATE OR REPLACE FUNCTION credit.check_accounts(p_from bigint, p_to bigint)
RETURNS TABLE (kind text, user_id uuid, detail jsonb)
LANGUAGE sql SET search_path = credit, pg_temp SET enable_seqscan = off AS $$
  -- The accounts with transfers of these numbers.
  WITH changed AS MATERIALIZED (
    SELECT DISTINCT t.user_id FROM transfer t WHERE t.id > p_from AND t.id <= p_to),
  -- Up to which transfer each was checked before, and the balance after it.
  known AS MATERIALIZED (
    SELECT a.user_id, coalesce(c.id, 0) AS id,
           coalesce((SELECT t.balance_after FROM transfer t WHERE t.user_id = a.user_id AND t.id = c.id), 0) AS balance
      FROM changed a CROSS JOIN LATERAL (SELECT max(transfer_id) AS id FROM checked WHERE user_id = a.user_id) AS c),
  -- Its transfers since then.
  booked AS MATERIALIZED (
    SELECT k.balance, t.*
      FROM known k CROSS JOIN LATERAL (SELECT * FROM transfer WHERE user_id = k.user_id AND id > k.id OFFSET 0) AS t),
  -- What they moved in each bucket, and the last of them.
  moved AS MATERIALIZED (
    SELECT t.user_id, t.bucket_id, max(t.id) AS transfer_id,
           sum(CASE 'available' WHEN dst THEN amount WHEN src THEN -amount ELSE 0 END)::int AS available,
           sum(CASE 'held' WHEN dst THEN amount WHEN src THEN -amount ELSE 0 END)::int AS held,
           sum(CASE 'spent' WHEN dst THEN amount WHEN src THEN -amount ELSE 0 END)::int AS spent,
           sum(CASE 'expired' WHEN dst THEN amount WHEN src THEN -amount ELSE 0 END)::int AS expired,
           sum(CASE 'revoked' WHEN dst THEN amount WHEN src THEN -amount ELSE 0 END)::int AS revoked
      FROM booked t GROUP BY t.user_id, t.bucket_id),
  -- Adds these sums to the checked ones: from here on the next call begins. No other part reads its result.
  noted AS (
    INSERT INTO checked AS c SELECT m.user_id, bucket_id, transfer_id, available, held, spent, expired, revoked FROM moved m
    ON CONFLICT ON CONSTRAINT checked_pkey DO UPDATE SET transfer_id = excluded.transfer_id,
      available = c.available + excluded.available, held = c.held + excluded.held, spent = c.spent + excluded.spent,
      expired = c.expired + excluded.expired, revoked = c.revoked + excluded.revoked),
  -- The counters of each bucket beside the sums of its transfers: those checked before and the new ones.
  counted AS MATERIALIZED (
    SELECT b.user_id, b.id, b.available,
           ARRAY[b.available, b.held, b.spent, b.expired, b.revoked] AS counters,
           ARRAY[coalesce(c.available, 0) + coalesce(m.available, 0), coalesce(c.held, 0) + coalesce(m.held, 0),
                 coalesce(c.spent, 0) + coalesce(m.spent, 0), coalesce(c.expired, 0) + coalesce(m.expired, 0),
                 coalesce(c.revoked, 0) + coalesce(m.revoked, 0)] AS sums
      FROM changed a
           CROSS JOIN LATERAL (SELECT * FROM bucket WHERE user_id = a.user_id OFFSET 0) AS b
           LEFT JOIN LATERAL (SELECT * FROM checked WHERE user_id = b.user_id AND bucket_id = b.id OFFSET 0) AS c ON true
           LEFT JOIN moved m ON m.bucket_id = b.id),
  -- The balance that each new transfer should have written: by its amounts, and by the lines of the statement.
  chain AS MATERIALIZED (
    SELECT t.user_id, t.id, t.balance_after, t.line_change,
           t.balance + sum(CASE 'available' WHEN dst THEN amount WHEN src THEN -amount ELSE 0 END) OVER history AS moved,
           t.balance + sum(line_change) OVER history AS told
      FROM booked t WINDOW history AS (PARTITION BY t.user_id ORDER BY t.id))
  -- Faults: a bucket whose counters are not the sum of its transfers;
  SELECT 'bucket', user_id, jsonb_build_object('bucket_id', id, 'counters', counters, 'transfers', sums)
    FROM counted WHERE counters <> sums
  UNION ALL
  -- a hold whose transfers do not come to its cost and its state;
  SELECT 'hold', h.user_id, jsonb_build_object('hold_id', h.id)
    FROM (SELECT DISTINCT user_id, hold_id FROM booked WHERE hold_id IS NOT NULL) AS touched
         CROSS JOIN LATERAL (SELECT * FROM hold WHERE user_id = touched.user_id AND id = touched.hold_id OFFSET 0) AS h
         CROSS JOIN LATERAL (
           SELECT sum(amount) FILTER (WHERE dst = 'held') AS taken, sum(amount) FILTER (WHERE dst = 'spent') AS spent,
                  sum(amount) FILTER (WHERE dst = 'available') AS returned
             FROM transfer WHERE hold_id = h.id AND user_id = h.user_id) AS t
   WHERE (t.taken, t.spent, t.returned) IS DISTINCT FROM
         (h.cost, CASE h.state WHEN 'settled' THEN h.cost END,
          CASE h.state WHEN 'released' THEN h.cost WHEN 'settled' THEN nullif(h.cost - h.charged, 0) END)
  UNION ALL
  -- a transfer that wrote another balance;
  SELECT 'balance', user_id, jsonb_build_object('transfer_id', id)
    FROM chain WHERE balance_after <> moved OR (line_change IS NOT NULL AND balance_after <> told)
  UNION ALL
  -- an account whose last balance is not the sum of its buckets.
  SELECT 'balance', a.user_id, jsonb_build_object('transfer_id', last.id)
    FROM (SELECT user_id, sum(available) AS available FROM counted GROUP BY user_id) AS a
         CROSS JOIN LATERAL (
           SELECT id, balance_after FROM transfer WHERE user_id = a.user_id ORDER BY id DESC LIMIT 1) AS last
   WHERE last.balance_after <> a.available
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- What the operations are made of. Each runs under the account's lock.

-- What can be spent as booked, and what is due: buckets whose expiry is not booked yet, a free month that has not begun.
-- A subscription that was taken back entirely no longer stands in for the free month. No pinned path, so that it is inlined.
CREATE OR REPLACE FUNCTION credit.look(p_user uuid, p_at timestamptz)
RETURNS TABLE (balance integer, expiry_due boolean, month_due boolean) LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(available), 0)::integer,
         coalesce(bool_or(expires_at <= p_at), false),
         NOT coalesce(bool_or(expires_at > p_at
           AND (kind = 'free' OR (kind = 'subscription' AND revoke_target < amount))), false)
         AND NOT EXISTS (SELECT FROM credit.account a WHERE a.user_id = p_user
           AND (a.free_withheld OR a.free_paused_until > p_at OR a.free_taken_until > p_at OR a.closed_at IS NOT NULL))
    FROM credit.bucket WHERE user_id = p_user AND ended_at IS NULL
$$;

-- Books what is due at p_at and returns the balance.
CREATE OR REPLACE FUNCTION credit.refresh(p_user uuid, p_anchor timestamptz, p_at timestamptz) RETURNS integer
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

-- The number of the user's first transfer at or after p_from, found by halving: transfers have no index by time, which each message would
-- have to pay for (decision 121). Null: the user has none at all. Called by selectSpending (credits/store.ts).
CREATE OR REPLACE FUNCTION credit.first_transfer_since(p_user uuid, p_from timestamptz) RETURNS bigint
LANGUAGE plpgsql STABLE SET search_path = credit, pg_temp AS $$
DECLARE
  v_low    bigint;
  v_high   bigint;
  v_middle bigint;
  v_next   record;
BEGIN
  SELECT min(id), max(id) + 1 INTO v_low, v_high FROM transfer WHERE user_id = p_user;
  WHILE v_low < v_high LOOP
    v_middle := (v_low + v_high) / 2;
    SELECT id, at INTO v_next FROM transfer WHERE user_id = p_user AND id >= v_middle ORDER BY id LIMIT 1;
    IF v_next.at < p_from THEN
      v_low := v_next.id + 1;
    ELSE
      v_high := v_middle;
    END IF;
  END LOOP;
  RETURN v_low;
END $$;

-- What an operator took of a bucket by hand. Called by revoke_credits, restore_credits and selectGrants (credits/store.ts).
CREATE OR REPLACE FUNCTION credit.by_hand(p_user uuid, p_bucket bigint) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(amount), 0)::integer FROM credit.transfer
   WHERE user_id = p_user AND src = 'available' AND dst = 'revoked' AND line_change IS NOT NULL
     AND bucket_id = p_bucket AND reason = 'correction'
$$;

-- Moves credits that must not be spendable any more out of 'available'. Returns the balance.
CREATE OR REPLACE FUNCTION credit.take_back(p_user uuid, p_bucket bigint, p_dst text, p_amount integer, p_balance integer,
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
CREATE OR REPLACE FUNCTION credit.book_expiry(p_user uuid, p_at timestamptz) RETURNS integer
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

-- Adds a bucket with its line in the statement, or does nothing when its source or its payment already has one: false then. A
-- bucket can be spent from the moment it is booked, so it starts no later than that.
CREATE OR REPLACE FUNCTION credit.issue(p_user uuid, p_kind text, p_source_key text, p_amount integer, p_starts_at timestamptz,
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

-- Spends what a hold took.
CREATE OR REPLACE FUNCTION credit.spend_held(p_user uuid, p_hold uuid, p_balance integer, p_reason text, p_at timestamptz) RETURNS void
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

-- Books what came back of a hold in its buckets; what was revoked or has expired meanwhile goes on at once, so that nothing rises
-- again. In: p_src, where it came from: held | spent. Returns the balance.
CREATE OR REPLACE FUNCTION credit.pass_on(p_user uuid, p_hold uuid, p_src text, p_balance integer, p_at timestamptz) RETURNS integer
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v_balance integer := p_balance;
  v_part    record;
  v_lapsed  integer;
BEGIN
  FOR v_part IN
    SELECT b.id, t.amount, least(t.amount, b.revoke_target - b.revoked) AS to_revoke, b.revoke_reason,
           b.ended_at IS NOT NULL OR b.expires_at <= p_at AS is_over
      FROM transfer t JOIN bucket b ON b.id = t.bucket_id
     WHERE t.user_id = p_user AND t.hold_id = p_hold AND t.src = p_src AND t.dst = 'available'
     ORDER BY b.expires_at, b.id
  LOOP
    v_lapsed := CASE WHEN v_part.is_over THEN v_part.amount - v_part.to_revoke ELSE 0 END;
    UPDATE bucket SET held = held - CASE p_src WHEN 'held' THEN v_part.amount ELSE 0 END,
                      spent = spent - CASE p_src WHEN 'spent' THEN v_part.amount ELSE 0 END, revoked = revoked + v_part.to_revoke, expired = expired + v_lapsed,
                      available = available + v_part.amount - v_part.to_revoke - v_lapsed WHERE id = v_part.id;
    v_balance := take_back(p_user, v_part.id, 'revoked', v_part.to_revoke, v_balance, v_part.revoke_reason, p_at);
    v_balance := take_back(p_user, v_part.id, 'expired', v_lapsed, v_balance, 'expired', p_at);
  END LOOP;
  RETURN v_balance;
END $$;

-- Gives a hold back to the buckets it came from. Returns the balance.
CREATE OR REPLACE FUNCTION credit.return_held(p_user uuid, p_hold uuid, p_cost integer, p_balance integer, p_reason text, p_at timestamptz)
RETURNS integer LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v_balance integer := p_balance;
  v_left    integer := p_cost;
  v_part    record;
BEGIN
  FOR v_part IN SELECT bucket_id, amount FROM receipt WHERE user_id = p_user AND hold_id = p_hold LOOP
    v_left := v_left - v_part.amount;
    v_balance := v_balance + v_part.amount;
    INSERT INTO transfer (user_id, bucket_id, hold_id, src, dst, amount, line_change, balance_after, reason, at)
    VALUES (p_user, v_part.bucket_id, p_hold, 'held', 'available', v_part.amount, CASE v_left WHEN 0 THEN p_cost END,
            v_balance, p_reason, p_at);
  END LOOP;
  RETURN pass_on(p_user, p_hold, 'held', v_balance, p_at);
END $$;

-- ---------------------------------------------------------------------------------------------------------------------
-- Free months.

-- The start of month n of an anchor, in UTC and always counted from the anchor: 31 Jan, 28 Feb, 31 Mar.
CREATE OR REPLACE FUNCTION credit.free_month_start(p_anchor timestamptz, p_n integer) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT (p_anchor AT TIME ZONE 'UTC' + make_interval(months => p_n)) AT TIME ZONE 'UTC'
$$;

-- The month of the anchor that contains p_at: the largest n >= 0 whose start is not after p_at.
CREATE OR REPLACE FUNCTION credit.free_month(p_anchor timestamptz, p_at timestamptz) RETURNS integer
LANGUAGE plpgsql IMMUTABLE SET search_path = credit, pg_temp AS $$
DECLARE
  v_from timestamp := p_anchor AT TIME ZONE 'UTC';
  v_to   timestamp := p_at AT TIME ZONE 'UTC';
  v_n    integer := (extract(year FROM v_to) - extract(year FROM v_from)) * 12
                    + extract(month FROM v_to) - extract(month FROM v_from);
BEGIN
  RETURN greatest(0, CASE WHEN free_month_start(p_anchor, v_n) > p_at THEN v_n - 1 ELSE v_n END);
END $$;

-- Are the free months of the user's domain given for the day of p_at; locks the count until the transaction ends.
CREATE OR REPLACE FUNCTION credit.is_domain_busy(p_user uuid, p_at timestamptz) RETURNS boolean
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v_user   public.users;
  v_months integer;
BEGIN
  SELECT * INTO v_user FROM public.users WHERE id = p_user;
  IF v_user.domain_hash IS NULL THEN
    RETURN false;
  END IF;
  INSERT INTO public.domain_grants AS g (domain_hash, day, months)
  VALUES (v_user.domain_hash, (p_at AT TIME ZONE 'UTC')::date, 0)
  ON CONFLICT (domain_hash, day) DO UPDATE SET months = g.months RETURNING months INTO v_months;
  RETURN v_months >= v_user.domain_per_day;
END $$;

-- Are the free months of the network that the user signed up in given for the day of p_at, and the address not proved; locks the count
-- until the transaction ends.
CREATE OR REPLACE FUNCTION credit.is_network_busy(p_user uuid, p_at timestamptz) RETURNS boolean
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v_user   public.users;
  v_months integer;
BEGIN
  SELECT * INTO v_user FROM public.users WHERE id = p_user;
  IF v_user.network_hash IS NULL OR v_user.email_verified THEN
    RETURN false;
  END IF;
  INSERT INTO public.network_grants AS g (network_hash, day, months)
  VALUES (v_user.network_hash, (p_at AT TIME ZONE 'UTC')::date, 0)
  ON CONFLICT (network_hash, day) DO UPDATE SET months = g.months RETURNING months INTO v_months;
  RETURN v_months >= v_user.network_per_day;
END $$;

-- Takes the user's address for the month from p_from to p_until. Returns null, or until when the address has a month that this one
-- would overlap.
CREATE OR REPLACE FUNCTION credit.claim_address(p_user uuid, p_from timestamptz, p_until timestamptz) RETURNS timestamptz
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v_user  public.users;
  v_taken timestamptz;
BEGIN
  SELECT * INTO v_user FROM public.users WHERE id = p_user;
  IF v_user.address_hash IS NULL THEN
    RETURN NULL;
  END IF;
  INSERT INTO public.address_grants AS g (address_hash, proved, free_until)
  VALUES (v_user.address_hash, v_user.email_verified, p_until)
  ON CONFLICT (address_hash, proved) DO UPDATE SET free_until = excluded.free_until WHERE g.free_until <= p_from;
  IF FOUND THEN
    RETURN NULL;
  END IF;
  SELECT free_until INTO v_taken FROM public.address_grants
   WHERE address_hash = v_user.address_hash AND proved = v_user.email_verified;
  RETURN v_taken;
END $$;

-- Until the free month of p_user is over, its address has no other.
CREATE OR REPLACE FUNCTION credit.hold_address(p_user uuid, p_address_hash bytea, p_proved boolean) RETURNS void
LANGUAGE sql SET search_path = credit, pg_temp AS $$
  INSERT INTO public.address_grants AS g (address_hash, proved, free_until)
  SELECT p_address_hash, p_proved, max(expires_at) FROM bucket WHERE user_id = p_user AND kind = 'free' AND ended_at IS NULL
  HAVING max(expires_at) IS NOT NULL
  ON CONFLICT (address_hash, proved) DO UPDATE SET free_until = greatest(g.free_until, excluded.free_until)
$$;

-- Grants the free month that contains p_at unless it was granted before, its domain had its months of the day, or it would overlap
-- one that another account of the address was given. Then an account that never had one counts its months from the end of that one,
-- any other waits for its next month that begins after it. Returns the balance.
CREATE OR REPLACE FUNCTION credit.issue_free_month(p_user uuid, p_anchor timestamptz, p_balance integer, p_at timestamptz)
RETURNS integer LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  c_credits CONSTANT integer := 40;
  v_month   integer := free_month(p_anchor, p_at);
  v_start   timestamptz := free_month_start(p_anchor, v_month);
  v_taken   timestamptz;
  v_busy    text;
BEGIN
  IF EXISTS (SELECT FROM bucket WHERE user_id = p_user AND source_key = 'free:' || v_month) THEN
    RETURN p_balance;
  END IF;
  v_busy := CASE WHEN is_domain_busy(p_user, p_at) THEN 'domain_busy' WHEN is_network_busy(p_user, p_at) THEN 'network_busy' END;
  IF v_busy IS NOT NULL THEN
    UPDATE account SET free_taken_by = v_busy,
                       free_taken_until = (date_trunc('day', p_at AT TIME ZONE 'UTC') + interval '1 day') AT TIME ZONE 'UTC'
     WHERE user_id = p_user;
    RETURN p_balance;
  END IF;
  v_taken := claim_address(p_user, v_start, free_month_start(p_anchor, v_month + 1));
  IF v_taken IS NULL THEN
    UPDATE public.domain_grants g SET months = months + 1 FROM public.users u
     WHERE u.id = p_user AND g.domain_hash = u.domain_hash AND g.day = (p_at AT TIME ZONE 'UTC')::date;
    UPDATE public.network_grants g SET months = months + 1 FROM public.users u
     WHERE u.id = p_user AND NOT u.email_verified AND g.network_hash = u.network_hash
       AND g.day = (p_at AT TIME ZONE 'UTC')::date;
    PERFORM issue(p_user, 'free', 'free:' || v_month, c_credits, v_start, free_month_start(p_anchor, v_month + 1),
                  'free_month', NULL, NULL, p_balance, p_at);
    RETURN p_balance + c_credits;
  END IF;
  IF EXISTS (SELECT FROM bucket WHERE user_id = p_user AND kind = 'free') THEN
    v_month := free_month(p_anchor, v_taken);
    IF free_month_start(p_anchor, v_month) < v_taken THEN
      v_month := v_month + 1;
    END IF;
    UPDATE account SET free_taken_by = 'address_used', free_taken_until = free_month_start(p_anchor, v_month)
     WHERE user_id = p_user;
    RETURN p_balance;
  END IF;
  UPDATE account SET free_taken_by = 'address_used', free_taken_until = v_taken, free_anchor = v_taken
   WHERE user_id = p_user;
  IF v_taken > p_at THEN
    RETURN p_balance;
  END IF;
  -- The row of the address is locked since the claim, so that this one succeeds.
  RETURN issue_free_month(p_user, v_taken, p_balance, p_at);
END $$;

-- Trigger. The account and its first free month appear with the user, in the same transaction (decision 4).
CREATE OR REPLACE FUNCTION credit.open_account() RETURNS trigger LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
BEGIN
  INSERT INTO account (user_id, free_anchor, free_withheld) VALUES (NEW.id, NEW.created_at, NEW.free_withheld IS NOT NULL);
  IF NEW.free_withheld IS NULL THEN
    PERFORM issue_free_month(NEW.id, NEW.created_at, 0, NEW.created_at);
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER open_credit_account AFTER INSERT ON public.users FOR EACH ROW EXECUTE FUNCTION credit.open_account();

-- Trigger. Another address takes the free month along: no other account of the new address has one beside it.
CREATE OR REPLACE FUNCTION credit.carry_address() RETURNS trigger LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
BEGIN
  PERFORM hold_address(NEW.id, NEW.address_hash, NEW.email_verified);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER users_carry_address AFTER UPDATE OF address_hash ON users FOR EACH ROW
  WHEN (NEW.address_hash IS NOT NULL AND NEW.address_hash IS DISTINCT FROM OLD.address_hash)
  EXECUTE FUNCTION credit.carry_address();

-- Trigger. Whoever proves the address is given its month at once, unless an account that proved it has that, or its domain has had the
-- months of the day: issue_free_month looks again, since the address may be another one than that which had to wait. A month that the
-- account has counts for it from then on, unless it was given to another person, whose account this was.
CREATE OR REPLACE FUNCTION credit.prove_address() RETURNS trigger LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
BEGIN
  PERFORM FROM account WHERE user_id = NEW.id FOR NO KEY UPDATE;
  IF NEW.taken_over_at IS NOT DISTINCT FROM OLD.taken_over_at THEN
    PERFORM hold_address(NEW.id, NEW.address_hash, true);
  END IF;
  UPDATE account SET free_taken_until = NULL,
         free_anchor = CASE WHEN EXISTS (SELECT FROM bucket WHERE user_id = NEW.id AND kind = 'free') THEN free_anchor
                            ELSE NEW.created_at END
   WHERE user_id = NEW.id AND free_taken_until IS NOT NULL;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER users_prove_address AFTER UPDATE OF email_verified ON users FOR EACH ROW
  WHEN (NEW.email_verified AND NOT OLD.email_verified AND NEW.address_hash IS NOT NULL)
  EXECUTE FUNCTION credit.prove_address();

-- Trigger. The account follows what the user's row says: are free months withheld.
CREATE OR REPLACE FUNCTION credit.withhold_free_months() RETURNS trigger LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
BEGIN
  UPDATE account SET free_withheld = NEW.free_withheld IS NOT NULL WHERE user_id = NEW.id;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER users_withhold_free_months AFTER UPDATE OF free_withheld ON users FOR EACH ROW
  WHEN (NEW.free_withheld IS DISTINCT FROM OLD.free_withheld) EXECUTE FUNCTION credit.withhold_free_months();

-- ---------------------------------------------------------------------------------------------------------------------
-- The ledger is append-only.

-- Trigger. Error: 23001.
CREATE OR REPLACE FUNCTION credit.refuse_change() RETURNS trigger LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'the credit ledger is append-only' USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME;
END $$;
CREATE OR REPLACE TRIGGER transfer_is_final BEFORE UPDATE OR TRUNCATE ON credit.transfer
  FOR EACH STATEMENT EXECUTE FUNCTION credit.refuse_change();
CREATE OR REPLACE TRIGGER bucket_not_emptied BEFORE TRUNCATE ON credit.bucket
  FOR EACH STATEMENT EXECUTE FUNCTION credit.refuse_change();

-- Trigger. A ledger goes only together with its user, by the cascade from users: by then the user's row is gone. Error: 23001.
CREATE OR REPLACE FUNCTION credit.refuse_delete() RETURNS trigger LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM public.users WHERE id = OLD.user_id) THEN
    RAISE EXCEPTION 'the credit ledger is append-only' USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN OLD;
END $$;
CREATE OR REPLACE TRIGGER account_stays BEFORE DELETE ON credit.account FOR EACH ROW EXECUTE FUNCTION credit.refuse_delete();
CREATE OR REPLACE TRIGGER bucket_stays BEFORE DELETE ON credit.bucket FOR EACH ROW EXECUTE FUNCTION credit.refuse_delete();
CREATE OR REPLACE TRIGGER hold_stays BEFORE DELETE ON credit.hold FOR EACH ROW EXECUTE FUNCTION credit.refuse_delete();
CREATE OR REPLACE TRIGGER transfer_stays BEFORE DELETE ON credit.transfer FOR EACH ROW EXECUTE FUNCTION credit.refuse_delete();
