--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: billing; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA billing;


--
-- Name: credit; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA credit;


--
-- Name: book_expiry(uuid, timestamp with time zone); Type: FUNCTION; Schema: credit; Owner: -
--

CREATE FUNCTION credit.book_expiry(p_user uuid, p_at timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'credit', 'pg_temp'
    AS $$
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


--
-- Name: carry_address(); Type: FUNCTION; Schema: credit; Owner: -
--

CREATE FUNCTION credit.carry_address() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'credit', 'pg_temp'
    AS $$
BEGIN
  INSERT INTO public.address_grants AS g (address_hash, free_until)
  SELECT NEW.address_hash, max(expires_at) FROM bucket WHERE user_id = NEW.id AND kind = 'free' AND ended_at IS NULL
  HAVING max(expires_at) IS NOT NULL
  ON CONFLICT (address_hash) DO UPDATE SET free_until = greatest(g.free_until, excluded.free_until);
  RETURN NULL;
END $$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: bucket; Type: TABLE; Schema: credit; Owner: -
--

CREATE TABLE credit.bucket (
    id bigint NOT NULL,
    user_id uuid NOT NULL,
    kind text NOT NULL,
    source_key text NOT NULL,
    payment_key text,
    order_id uuid,
    amount integer NOT NULL,
    available integer NOT NULL,
    held integer DEFAULT 0 NOT NULL,
    spent integer DEFAULT 0 NOT NULL,
    expired integer DEFAULT 0 NOT NULL,
    revoked integer DEFAULT 0 NOT NULL,
    revoke_target integer DEFAULT 0 NOT NULL,
    revoke_reason text,
    starts_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone
)
WITH (fillfactor='60', autovacuum_vacuum_scale_factor='0.02', autovacuum_analyze_scale_factor='0.05');


--
-- Name: check_bucket(credit.bucket); Type: FUNCTION; Schema: credit; Owner: -
--

CREATE FUNCTION credit.check_bucket(b credit.bucket) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    AS $_$
DECLARE
  v_broken text := CASE
    WHEN NOT b.amount BETWEEN 1 AND 1000000 THEN 'bucket_amount_check'
    WHEN NOT (b.revoked <= b.revoke_target AND b.revoke_target <= b.amount) THEN 'bucket_claim_bounded'
    WHEN NOT (b.available = 0 OR b.revoked = b.revoke_target) THEN 'bucket_claim_comes_first'
    WHEN NOT (b.revoke_target = 0) = (b.revoke_reason IS NULL) THEN 'bucket_claim_has_reason'
    WHEN NOT b.available + b.held + b.spent + b.expired + b.revoked = b.amount THEN 'bucket_conserved'
    WHEN NOT isfinite(b.expires_at) THEN 'bucket_expires_at_check'
    WHEN NOT b.kind = ANY ('{free,subscription,adjustment}') THEN 'bucket_kind_check'
    WHEN NOT least(b.available, b.held, b.spent, b.expired, b.revoked) >= 0 THEN 'bucket_never_negative'
    WHEN NOT length(b.payment_key) BETWEEN 1 AND 200 THEN 'bucket_payment_key_check'
    WHEN NOT b.starts_at < b.expires_at THEN 'bucket_period'
    WHEN NOT b.revoke_reason ~ '^[a-z][a-z0-9_]{0,39}$' THEN 'bucket_revoke_reason_check'
    WHEN NOT length(b.source_key) BETWEEN 1 AND 200 THEN 'bucket_source_key_check'
    WHEN NOT (b.ended_at IS NULL OR b.available = 0) THEN 'bucket_stays_ended'
  END;
BEGIN
  RETURN v_broken IS NULL OR public.refuse_row('bucket', v_broken);
END $_$;


--
-- Name: hold; Type: TABLE; Schema: credit; Owner: -
--

CREATE TABLE credit.hold (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    model text NOT NULL,
    cost integer NOT NULL,
    state text DEFAULT 'held'::text NOT NULL,
    reason text,
    created_at timestamp with time zone NOT NULL,
    closed_at timestamp with time zone,
    note text
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02', autovacuum_analyze_scale_factor='0.05');


--
-- Name: check_hold(credit.hold); Type: FUNCTION; Schema: credit; Owner: -
--

CREATE FUNCTION credit.check_hold(h credit.hold) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    AS $$
DECLARE
  v_broken text := CASE
    WHEN NOT (h.state = 'held') = (h.reason IS NULL) THEN 'hold_closed_has_reason'
    WHEN NOT (h.state = 'held') = (h.closed_at IS NULL) THEN 'hold_closed_has_time'
    WHEN NOT h.cost > 0 THEN 'hold_cost_check'
    WHEN NOT length(h.note) BETWEEN 1 AND 80 THEN 'hold_note_check'
    WHEN NOT h.state = ANY ('{held,settled,released}') THEN 'hold_state_check'
  END;
BEGIN
  RETURN v_broken IS NULL OR public.refuse_row('hold', v_broken);
END $$;


--
-- Name: transfer; Type: TABLE; Schema: credit; Owner: -
--

CREATE TABLE credit.transfer (
    user_id uuid NOT NULL,
    id bigint NOT NULL,
    bucket_id bigint NOT NULL,
    hold_id uuid,
    src text NOT NULL,
    dst text NOT NULL,
    amount integer NOT NULL,
    line_change integer,
    balance_after integer NOT NULL,
    reason text NOT NULL,
    at timestamp with time zone NOT NULL
)
WITH (autovacuum_vacuum_insert_scale_factor='0.05', autovacuum_analyze_scale_factor='0.05');


--
-- Name: check_transfer(credit.transfer); Type: FUNCTION; Schema: credit; Owner: -
--

CREATE FUNCTION credit.check_transfer(t credit.transfer) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    AS $_$
DECLARE
  v_broken text := CASE
    WHEN NOT t.amount > 0 THEN 'transfer_amount_check'
    WHEN NOT t.balance_after >= 0 THEN 'transfer_balance_after_check'
    WHEN NOT t.src || ' > ' || t.dst = ANY ('{
      issue > available, available > held, held > spent, held > available, available > expired, available > revoked}')
      THEN 'transfer_move'
    WHEN NOT t.reason ~ '^[a-z][a-z0-9_]{0,39}$' THEN 'transfer_reason_check'
  END;
BEGIN
  RETURN v_broken IS NULL OR public.refuse_row('transfer', v_broken);
END $_$;


--
-- Name: claim_address(uuid, timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: credit; Owner: -
--

CREATE FUNCTION credit.claim_address(p_user uuid, p_from timestamp with time zone, p_until timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE plpgsql
    SET search_path TO 'credit', 'pg_temp'
    AS $$
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


--
-- Name: close_account(uuid, timestamp with time zone); Type: FUNCTION; Schema: credit; Owner: -
--

CREATE FUNCTION credit.close_account(p_user uuid, p_at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'credit', 'pg_temp'
    AS $$
BEGIN
  UPDATE account SET closed_at = coalesce(p_at, clock_timestamp()),
         frozen_at = coalesce(frozen_at, p_at, clock_timestamp())
   WHERE user_id = p_user AND closed_at IS NULL;
END $$;


--
-- Name: close_hold(uuid, uuid, text, text, timestamp with time zone); Type: FUNCTION; Schema: credit; Owner: -
--

CREATE FUNCTION credit.close_hold(p_user uuid, p_hold uuid, p_outcome text, p_reason text, p_at timestamp with time zone, OUT closed boolean, OUT balance integer) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'credit', 'pg_temp'
    AS $$
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


--
-- Name: free_month(timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: credit; Owner: -
--

CREATE FUNCTION credit.free_month(p_anchor timestamp with time zone, p_at timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'credit', 'pg_temp'
    AS $$
DECLARE
  v_from timestamp := p_anchor AT TIME ZONE 'UTC';
  v_to   timestamp := p_at AT TIME ZONE 'UTC';
  v_n    integer := (extract(year FROM v_to) - extract(year FROM v_from)) * 12
                    + extract(month FROM v_to) - extract(month FROM v_from);
BEGIN
  RETURN greatest(0, CASE WHEN free_month_start(p_anchor, v_n) > p_at THEN v_n - 1 ELSE v_n END);
END $$;


--
-- Name: free_month_start(timestamp with time zone, integer); Type: FUNCTION; Schema: credit; Owner: -
--

CREATE FUNCTION credit.free_month_start(p_anchor timestamp with time zone, p_n integer) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT (p_anchor AT TIME ZONE 'UTC' + make_interval(months => p_n)) AT TIME ZONE 'UTC'
$$;


--
-- Name: grant_credits(uuid, text, text, text, uuid, integer, timestamp with time zone, timestamp with time zone, text, timestamp with time zone); Type: FUNCTION; Schema: credit; Owner: -
--

CREATE FUNCTION credit.grant_credits(p_user uuid, p_kind text, p_source_key text, p_payment_key text, p_order_id uuid, p_amount integer, p_starts_at timestamp with time zone, p_expires_at timestamp with time zone, p_reason text, p_at timestamp with time zone, OUT granted boolean, OUT balance integer) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'credit', 'pg_temp'
    AS $$
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


--
-- Name: issue(uuid, text, text, integer, timestamp with time zone, timestamp with time zone, text, text, uuid, integer, timestamp with time zone); Type: FUNCTION; Schema: credit; Owner: -
--

CREATE FUNCTION credit.issue(p_user uuid, p_kind text, p_source_key text, p_amount integer, p_starts_at timestamp with time zone, p_expires_at timestamp with time zone, p_reason text, p_payment_key text, p_order_id uuid, p_balance integer, p_at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'credit', 'pg_temp'
    AS $$
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


--
-- Name: issue_free_month(uuid, timestamp with time zone, integer, timestamp with time zone); Type: FUNCTION; Schema: credit; Owner: -
--

CREATE FUNCTION credit.issue_free_month(p_user uuid, p_anchor timestamp with time zone, p_balance integer, p_at timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'credit', 'pg_temp'
    AS $$
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


--
-- Name: look(uuid, timestamp with time zone); Type: FUNCTION; Schema: credit; Owner: -
--

CREATE FUNCTION credit.look(p_user uuid, p_at timestamp with time zone) RETURNS TABLE(balance integer, expiry_due boolean, month_due boolean)
    LANGUAGE sql STABLE
    AS $$
  SELECT coalesce(sum(available), 0)::integer,
         coalesce(bool_or(expires_at <= p_at), false),
         NOT coalesce(bool_or(expires_at > p_at
           AND (kind = 'free' OR (kind = 'subscription' AND revoke_target < amount))), false)
         AND NOT EXISTS (SELECT FROM credit.account a WHERE a.user_id = p_user
           AND (a.free_withheld OR a.free_paused_until > p_at OR a.free_taken_until > p_at OR a.closed_at IS NOT NULL))
    FROM credit.bucket WHERE user_id = p_user AND ended_at IS NULL
$$;


--
-- Name: open_account(); Type: FUNCTION; Schema: credit; Owner: -
--

CREATE FUNCTION credit.open_account() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'credit', 'pg_temp'
    AS $$
BEGIN
  INSERT INTO account (user_id, free_anchor, free_withheld) VALUES (NEW.id, NEW.created_at, NEW.free_withheld IS NOT NULL);
  IF NEW.free_withheld IS NULL THEN
    PERFORM issue_free_month(NEW.id, NEW.created_at, 0, NEW.created_at);
  END IF;
  RETURN NULL;
END $$;


--
-- Name: pause_free_months(uuid, timestamp with time zone); Type: FUNCTION; Schema: credit; Owner: -
--

CREATE FUNCTION credit.pause_free_months(p_user uuid, p_until timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'credit', 'pg_temp'
    AS $$
BEGIN
  UPDATE account SET free_paused_until = p_until WHERE user_id = p_user AND free_paused_until IS DISTINCT FROM p_until;
END $$;


--
-- Name: read_balance(uuid, timestamp with time zone); Type: FUNCTION; Schema: credit; Owner: -
--

CREATE FUNCTION credit.read_balance(p_user uuid, p_at timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'credit', 'pg_temp'
    AS $$
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


--
-- Name: refresh(uuid, timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: credit; Owner: -
--

CREATE FUNCTION credit.refresh(p_user uuid, p_anchor timestamp with time zone, p_at timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'credit', 'pg_temp'
    AS $$
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


--
-- Name: refuse_change(); Type: FUNCTION; Schema: credit; Owner: -
--

CREATE FUNCTION credit.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'credit', 'pg_temp'
    AS $$
BEGIN
  RAISE EXCEPTION 'the credit ledger is append-only' USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME;
END $$;


--
-- Name: refuse_delete(); Type: FUNCTION; Schema: credit; Owner: -
--

CREATE FUNCTION credit.refuse_delete() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'credit', 'pg_temp'
    AS $$
BEGIN
  IF EXISTS (SELECT FROM public.users WHERE id = OLD.user_id) THEN
    RAISE EXCEPTION 'the credit ledger is append-only' USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN OLD;
END $$;


--
-- Name: return_held(uuid, uuid, integer, integer, text, timestamp with time zone); Type: FUNCTION; Schema: credit; Owner: -
--

CREATE FUNCTION credit.return_held(p_user uuid, p_hold uuid, p_cost integer, p_balance integer, p_reason text, p_at timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'credit', 'pg_temp'
    AS $$
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


--
-- Name: revoke_credits(uuid, text, text, integer, text, timestamp with time zone); Type: FUNCTION; Schema: credit; Owner: -
--

CREATE FUNCTION credit.revoke_credits(p_user uuid, p_source_key text, p_payment_key text, p_total integer, p_reason text, p_at timestamp with time zone, OUT known boolean, OUT taken integer, OUT balance integer) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'credit', 'pg_temp'
    AS $$
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


--
-- Name: spend_held(uuid, uuid, integer, text, timestamp with time zone); Type: FUNCTION; Schema: credit; Owner: -
--

CREATE FUNCTION credit.spend_held(p_user uuid, p_hold uuid, p_balance integer, p_reason text, p_at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'credit', 'pg_temp'
    AS $$
DECLARE
  v_part record;
BEGIN
  FOR v_part IN SELECT bucket_id, amount FROM receipt WHERE user_id = p_user AND hold_id = p_hold LOOP
    UPDATE bucket SET held = held - v_part.amount, spent = spent + v_part.amount WHERE id = v_part.bucket_id;
    INSERT INTO transfer (user_id, bucket_id, hold_id, src, dst, amount, balance_after, reason, at)
    VALUES (p_user, v_part.bucket_id, p_hold, 'held', 'spent', v_part.amount, p_balance, p_reason, p_at);
  END LOOP;
END $$;


--
-- Name: sweep_expired(integer, timestamp with time zone); Type: FUNCTION; Schema: credit; Owner: -
--

CREATE FUNCTION credit.sweep_expired(p_limit integer, p_at timestamp with time zone) RETURNS TABLE(user_id uuid, balance integer)
    LANGUAGE plpgsql
    SET search_path TO 'credit', 'pg_temp'
    AS $$
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


--
-- Name: take_back(uuid, bigint, text, integer, integer, text, timestamp with time zone); Type: FUNCTION; Schema: credit; Owner: -
--

CREATE FUNCTION credit.take_back(p_user uuid, p_bucket bigint, p_dst text, p_amount integer, p_balance integer, p_reason text, p_at timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'credit', 'pg_temp'
    AS $$
BEGIN
  IF p_amount > 0 THEN
    INSERT INTO transfer (user_id, bucket_id, src, dst, amount, line_change, balance_after, reason, at)
    VALUES (p_user, p_bucket, 'available', p_dst, p_amount, -p_amount, p_balance - p_amount, p_reason, p_at);
  END IF;
  RETURN p_balance - p_amount;
END $$;


--
-- Name: take_hold(uuid, uuid, integer, text, timestamp with time zone, text, text); Type: FUNCTION; Schema: credit; Owner: -
--

CREATE FUNCTION credit.take_hold(p_user uuid, p_hold uuid, p_cost integer, p_model text, p_at timestamp with time zone, p_reason text DEFAULT 'message'::text, p_note text DEFAULT NULL::text, OUT result text, OUT balance integer) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'credit', 'pg_temp'
    AS $$
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


--
-- Name: withhold_free_months(); Type: FUNCTION; Schema: credit; Owner: -
--

CREATE FUNCTION credit.withhold_free_months() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'credit', 'pg_temp'
    AS $$
BEGIN
  UPDATE account SET free_withheld = NEW.free_withheld IS NOT NULL WHERE user_id = NEW.id;
  RETURN NULL;
END $$;


--
-- Name: check_message(uuid, uuid, uuid, text, integer, integer, integer, text, text, text, integer, timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.check_message(p_id uuid, p_parent uuid, p_conversation uuid, p_status text, p_cost integer, p_credits_used integer, p_first_text_ms integer, p_content text, p_response text, p_error_code text, p_end_seq integer, p_ended_at timestamp with time zone, p_erased_at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    AS $$
DECLARE
  v_broken text := CASE
    WHEN NOT (p_credits_used = 0 OR (p_credits_used = p_cost AND p_status = ANY ('{completed,stopped}')
      AND (p_response <> '' OR p_erased_at IS NOT NULL))) THEN 'messages_charge_is_earned'
    WHEN NOT (p_status <> 'completed' OR p_credits_used = p_cost) THEN 'messages_completed_is_charged'
    WHEN NOT (p_content <> '' OR p_conversation IS NULL) THEN 'messages_content'
    WHEN NOT p_cost > 0 THEN 'messages_cost_check'
    WHEN NOT (p_status = 'running') = (p_end_seq IS NULL) THEN 'messages_ended_has_end_event'
    WHEN NOT (p_status = 'running') = (p_ended_at IS NULL) THEN 'messages_ended_has_time'
    WHEN NOT (p_erased_at IS NULL OR (p_conversation IS NULL AND p_status <> 'running')) THEN 'messages_erased_is_api'
    WHEN NOT (p_status = ANY ('{failed,interrupted}')) = (p_error_code IS NOT NULL) THEN 'messages_fault_has_code'
    WHEN NOT p_first_text_ms >= 0 THEN 'messages_first_text_ms_check'
    WHEN NOT p_parent <> p_id THEN 'messages_not_own_parent'
    WHEN NOT p_status = ANY ('{running,completed,stopped,failed,interrupted}') THEN 'messages_status_check'
  END;
BEGIN
  RETURN v_broken IS NULL OR public.refuse_row('messages', v_broken);
END $$;


--
-- Name: create_api_key(uuid, uuid, text, text, bytea, text[], integer, text[], timestamp with time zone, integer, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.create_api_key(p_id uuid, p_user uuid, p_name text, p_prefix text, p_hash bytea, p_models text[], p_cap integer, p_addresses text[], p_expires_at timestamp with time zone, p_most integer, p_at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM FROM users WHERE id = p_user FOR NO KEY UPDATE;
  IF (SELECT count(*) FROM api_keys WHERE user_id = p_user AND revoked_at IS NULL) >= p_most THEN
    RETURN false;
  END IF;
  INSERT INTO api_keys (id, user_id, name, prefix, hash, models, monthly_cap, allowed_addresses, expires_at, created_at)
  VALUES (p_id, p_user, p_name, p_prefix, p_hash, p_models, p_cap, p_addresses, p_expires_at, coalesce(p_at, clock_timestamp()));
  RETURN true;
END $$;


--
-- Name: delete_api_messages(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.delete_api_messages() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM messages WHERE user_id = OLD.id AND conversation_id IS NULL;
  RETURN OLD;
END $$;


--
-- Name: end_message(uuid, uuid, text, text, text, text, text, jsonb, boolean, boolean, text, integer, integer, jsonb, timestamp with time zone, integer, boolean); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.end_message(p_id uuid, p_owner uuid, p_status text, p_response text, p_error_code text, p_model_version text, p_upstream_model text, p_usage jsonb, p_context_trimmed boolean, p_charged boolean, p_reason text, p_end_seq integer, p_first_seq integer, p_events jsonb, p_at timestamp with time zone, p_first_text_ms integer, p_upstream_switched boolean, OUT balance integer, OUT ended_at timestamp with time zone) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
  v_user uuid;
  v_hold record;
BEGIN
  UPDATE messages m SET status = p_status, response = p_response, error_code = p_error_code, model_version = p_model_version,
         upstream_model = p_upstream_model, usage = p_usage, context_trimmed = p_context_trimmed, end_seq = p_end_seq,
         first_text_ms = p_first_text_ms, upstream_switched = p_upstream_switched,
         credits_used = CASE WHEN p_charged THEN cost ELSE 0 END, ended_at = coalesce(p_at, clock_timestamp())
   WHERE m.id = p_id AND m.owner = p_owner AND m.status = 'running'
   RETURNING m.user_id, m.ended_at INTO v_user, ended_at;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF p_first_seq < p_end_seq THEN
    INSERT INTO message_events AS e (message_id, first_seq, last_seq, events)
    VALUES (p_id, p_first_seq, p_end_seq - 1, p_events)
    ON CONFLICT (message_id, first_seq) DO UPDATE SET last_seq = excluded.last_seq, events = excluded.events
     WHERE excluded.last_seq > e.last_seq;
  END IF;
  INSERT INTO search_queue VALUES (p_id) ON CONFLICT DO NOTHING;
  SELECT * INTO v_hold FROM credit.close_hold(v_user, p_id, CASE WHEN p_charged THEN 'settled' ELSE 'released' END, p_reason, p_at);
  IF NOT v_hold.closed THEN
    RAISE EXCEPTION 'message % was running without a hold', p_id;
  END IF;
  balance := v_hold.balance;
END $$;


--
-- Name: end_sign_in_steps(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.end_sign_in_steps() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM sign_in_steps WHERE user_id = OLD.user_id;
  RETURN NULL;
END $$;


--
-- Name: interrupt_messages(uuid[], timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.interrupt_messages(p_ids uuid[], p_at timestamp with time zone) RETURNS TABLE(message_id uuid, user_id uuid, balance integer)
    LANGUAGE plpgsql
    AS $$
DECLARE
  v_message record;
  v_log     record;
BEGIN
  FOR v_message IN
    SELECT m.id, m.user_id FROM messages m WHERE m.id = ANY (p_ids) AND m.status = 'running'
     ORDER BY m.user_id, m.id FOR NO KEY UPDATE SKIP LOCKED
  LOOP
    SELECT coalesce(string_agg(e.event -> 1 ->> 'text', '' ORDER BY l.first_seq, e.n) FILTER (WHERE e.event ->> 0 = 'text'), '')
             AS response,
           coalesce(bool_or(e.event -> 1 ->> 'code' = 'context_trimmed'), false) AS trimmed,
           coalesce(bool_or(e.event -> 1 ->> 'code' = 'upstream_switched'), false) AS switched,
           coalesce(max(l.last_seq), 0) + 1 AS end_seq
      INTO v_log
      FROM message_events l CROSS JOIN jsonb_array_elements(l.events) WITH ORDINALITY AS e (event, n)
     WHERE l.message_id = v_message.id;
    UPDATE messages m SET status = 'interrupted', response = v_log.response, error_code = 'interrupted',
           context_trimmed = v_log.trimmed, upstream_switched = v_log.switched, end_seq = v_log.end_seq,
           ended_at = coalesce(p_at, clock_timestamp())
     WHERE m.id = v_message.id;
    INSERT INTO search_queue VALUES (v_message.id) ON CONFLICT DO NOTHING;
    SELECT v_message.id, v_message.user_id, h.balance INTO message_id, user_id, balance
      FROM credit.close_hold(v_message.user_id, v_message.id, 'released', 'interrupted', p_at) h;
    RETURN NEXT;
  END LOOP;
END $$;


--
-- Name: note_login(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.note_login() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  UPDATE users SET last_login_at = greatest(last_login_at, NEW.created_at) WHERE id = NEW.user_id;
  RETURN NULL;
END $$;


--
-- Name: refuse_leaving(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.refuse_leaving() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM FROM users WHERE id = NEW.user_id AND leaving_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the account is being deleted' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'account_leaving';
  END IF;
  RETURN NEW;
END $$;


--
-- Name: refuse_row(text, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.refuse_row(p_table text, p_rule text) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION 'new row for relation "%" violates check constraint "%"', p_table, p_rule
    USING ERRCODE = 'check_violation', TABLE = p_table, CONSTRAINT = p_rule;
END $$;


--
-- Name: search_keys(uuid, smallint[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.search_keys(p_user uuid, p_slots smallint[]) RETURNS bigint[]
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
DECLARE
  v_user bigint := hashtextextended(p_user::text, 0) & ~32767::bigint;
BEGIN
  RETURN ARRAY(SELECT v_user | slot FROM unnest(p_slots) slot);
END $$;


--
-- Name: send_api_message(uuid, uuid, uuid, text, bytea, text, integer, integer, uuid, integer, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.send_api_message(p_user uuid, p_id uuid, p_key uuid, p_idempotency_key text, p_body_hash bytea, p_model text, p_cost integer, p_prompt_tokens integer, p_owner uuid, p_max_running integer, p_at timestamp with time zone, OUT result text, OUT balance integer, OUT message_id uuid, OUT sent_at timestamp with time zone, OUT cap_left integer) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
  v_former record;
  v_key    api_keys;
  v_month  timestamptz;
BEGIN
  PERFORM FROM credit.account WHERE user_id = p_user FOR NO KEY UPDATE;
  sent_at := coalesce(p_at, clock_timestamp());
  message_id := p_id;

  IF EXISTS (SELECT FROM messages WHERE id = p_id AND user_id = p_user) THEN
    result := 'repeated';
    RETURN;
  END IF;
  IF p_idempotency_key IS NOT NULL THEN
    SELECT r.message_id, r.body_hash, m.status, m.credits_used INTO v_former
      FROM api_requests r JOIN messages m ON m.id = r.message_id
     WHERE r.user_id = p_user AND r.idempotency_key = p_idempotency_key;
    IF FOUND AND v_former.body_hash <> p_body_hash THEN
      result := 'key_reused';
      RETURN;
    ELSIF FOUND AND (v_former.status = 'running' OR v_former.credits_used > 0) THEN
      result := 'repeated';
      message_id := v_former.message_id;
      RETURN;
    END IF;
  END IF;

  IF p_key IS NOT NULL THEN
    -- Whoever revokes the key waits for this lock, and then sees the message that it has to stop.
    SELECT * INTO v_key FROM api_keys WHERE id = p_key AND user_id = p_user AND revoked_at IS NULL FOR SHARE;
    IF NOT FOUND THEN
      result := 'key_revoked';
      RETURN;
    END IF;
    IF v_key.monthly_cap IS NOT NULL THEN
      v_month := date_trunc('month', sent_at, 'UTC');
      SELECT v_key.monthly_cap - coalesce(sum(CASE m.status WHEN 'running' THEN m.cost ELSE m.credits_used END), 0) INTO cap_left
        FROM api_requests r JOIN messages m ON m.id = r.message_id
       WHERE r.key_id = p_key AND r.created_at >= v_month;
      IF cap_left < p_cost THEN
        result := 'cap_reached';
        RETURN;
      END IF;
    END IF;
  END IF;

  IF (SELECT count(*) FROM messages WHERE user_id = p_user AND status = 'running') >= p_max_running THEN
    result := 'too_many';
    RETURN;
  END IF;

  SELECT t.result, t.balance INTO result, balance
    FROM credit.take_hold(p_user, p_id, p_cost, p_model, p_at, 'api', v_key.name) t;
  IF result <> 'held' THEN
    RETURN;
  END IF;

  -- An attempt that cost nothing gave no answer either: its idempotency key is free for this one.
  UPDATE api_requests SET idempotency_key = NULL WHERE user_id = p_user AND idempotency_key = p_idempotency_key;
  INSERT INTO messages (id, user_id, model, content, cost, owner, created_at)
  VALUES (p_id, p_user, p_model, '', p_cost, p_owner, sent_at);
  INSERT INTO api_requests (message_id, user_id, key_id, idempotency_key, body_hash, prompt_tokens, created_at)
  VALUES (p_id, p_user, p_key, p_idempotency_key, p_body_hash, p_prompt_tokens, sent_at);
  result := 'sent';
END $$;


--
-- Name: send_message(uuid, uuid, uuid, uuid, text, text, text, integer, uuid, integer, timestamp with time zone, text, boolean); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.send_message(p_user uuid, p_id uuid, p_conversation uuid, p_parent uuid, p_model text, p_content text, p_title text, p_cost integer, p_owner uuid, p_max_running integer, p_at timestamp with time zone, p_folded_title text, p_temporary boolean, OUT result text, OUT balance integer, OUT sent_at timestamp with time zone, OUT title text, OUT started_at timestamp with time zone, OUT pinned_at timestamp with time zone, OUT is_temporary boolean) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
  v_message      messages;
  v_conversation conversations;
BEGIN
  PERFORM FROM credit.account WHERE user_id = p_user FOR NO KEY UPDATE;

  SELECT * INTO v_message FROM messages WHERE id = p_id;
  IF FOUND THEN
    result := CASE
      WHEN v_message.user_id <> p_user THEN 'not_found'
      WHEN (v_message.conversation_id, v_message.parent_id, v_message.model, v_message.content)
           IS NOT DISTINCT FROM (p_conversation, p_parent, p_model, p_content) THEN 'duplicate'
      ELSE 'key_reused' END;
    RETURN;
  END IF;

  SELECT * INTO v_conversation FROM conversations WHERE id = p_conversation FOR NO KEY UPDATE;
  IF v_conversation.user_id <> p_user OR v_conversation.deleted_at IS NOT NULL
     OR (v_conversation.id IS NULL AND p_parent IS NOT NULL) THEN
    result := 'not_found';
    RETURN;
  END IF;
  IF p_parent IS NOT NULL THEN
    SELECT * INTO v_message FROM messages WHERE id = p_parent AND conversation_id = p_conversation;
    IF NOT FOUND OR v_message.status = 'running' THEN
      result := CASE WHEN FOUND THEN 'parent_running' ELSE 'not_found' END;
      RETURN;
    END IF;
  END IF;

  IF (SELECT count(*) FROM messages WHERE user_id = p_user AND status = 'running') >= p_max_running THEN
    result := 'too_many';
    RETURN;
  END IF;

  SELECT t.result, t.balance INTO result, balance FROM credit.take_hold(p_user, p_id, p_cost, p_model, p_at) t;
  IF result <> 'held' THEN
    -- A hold without its message: the message was deleted since.
    result := CASE result WHEN 'duplicate' THEN 'key_reused' ELSE result END;
    RETURN;
  END IF;

  sent_at := coalesce(p_at, clock_timestamp());
  INSERT INTO conversations AS c (id, user_id, title, folded_title, created_at, updated_at, is_temporary)
  VALUES (p_conversation, p_user, p_title, p_folded_title, sent_at, sent_at, p_temporary)
  ON CONFLICT (id) DO UPDATE SET updated_at = greatest(c.updated_at, excluded.updated_at), archived_at = NULL
   WHERE c.user_id = p_user
  RETURNING c.title, c.created_at, c.pinned_at, c.is_temporary INTO title, started_at, pinned_at, is_temporary;
  INSERT INTO messages (id, user_id, conversation_id, parent_id, model, content, cost, owner, created_at)
  VALUES (p_id, p_user, p_conversation, p_parent, p_model, p_content, p_cost, p_owner, sent_at);
  result := 'sent';
END $$;


--
-- Name: account; Type: TABLE; Schema: billing; Owner: -
--

CREATE TABLE billing.account (
    user_id uuid NOT NULL,
    cleared_disputes text[] DEFAULT '{}'::text[] NOT NULL,
    disputed boolean DEFAULT false NOT NULL,
    next_change_at timestamp with time zone,
    ask_at timestamp with time zone,
    asked_times integer DEFAULT 0 NOT NULL,
    projected_at timestamp with time zone
);


--
-- Name: audit; Type: TABLE; Schema: billing; Owner: -
--

CREATE TABLE billing.audit (
    id bigint NOT NULL,
    actor text NOT NULL,
    act text NOT NULL,
    user_id uuid,
    subject text,
    reason text NOT NULL,
    details jsonb DEFAULT '{}'::jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    CONSTRAINT audit_act_check CHECK ((act ~ '^[a-z][a-z0-9_]{0,39}$'::text)),
    CONSTRAINT audit_actor_check CHECK ((actor <> ''::text)),
    CONSTRAINT audit_reason_check CHECK ((reason <> ''::text))
);


--
-- Name: audit_id_seq; Type: SEQUENCE; Schema: billing; Owner: -
--

ALTER TABLE billing.audit ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME billing.audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: cancellations; Type: TABLE; Schema: billing; Owner: -
--

CREATE TABLE billing.cancellations (
    provider text NOT NULL,
    subscription_id text NOT NULL,
    user_id uuid NOT NULL,
    period_end boolean NOT NULL,
    reason text NOT NULL,
    asked_at timestamp with time zone NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    next_try_at timestamp with time zone NOT NULL,
    done_at timestamp with time zone,
    error text,
    CONSTRAINT cancellations_provider_check CHECK ((provider = ANY (ARRAY['creem'::text, 'bagelpay'::text]))),
    CONSTRAINT cancellations_reason_check CHECK ((reason = ANY (ARRAY['user'::text, 'replaced'::text, 'refunded'::text, 'disputed'::text, 'operator'::text, 'left'::text])))
);


--
-- Name: facts; Type: TABLE; Schema: billing; Owner: -
--

CREATE TABLE billing.facts (
    id bigint NOT NULL,
    provider text NOT NULL,
    user_id uuid,
    kind text NOT NULL,
    subject text NOT NULL,
    leads text[] DEFAULT '{}'::text[] NOT NULL,
    is_torn boolean DEFAULT false NOT NULL,
    fact jsonb NOT NULL,
    digest bytea NOT NULL,
    source text NOT NULL,
    inbox_id bigint,
    told_at timestamp with time zone NOT NULL,
    CONSTRAINT facts_digest_check CHECK ((length(digest) = 32)),
    CONSTRAINT facts_kind_check CHECK ((kind = ANY (ARRAY['checkout'::text, 'payment'::text, 'subscription'::text, 'refund'::text, 'dispute'::text, 'unknown'::text]))),
    CONSTRAINT facts_provider_check CHECK ((provider = ANY (ARRAY['creem'::text, 'bagelpay'::text]))),
    CONSTRAINT facts_source_check CHECK ((source = ANY (ARRAY['webhook'::text, 'question'::text, 'sweep'::text, 'operator'::text])))
);


--
-- Name: facts_id_seq; Type: SEQUENCE; Schema: billing; Owner: -
--

ALTER TABLE billing.facts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME billing.facts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: handles; Type: TABLE; Schema: billing; Owner: -
--

CREATE TABLE billing.handles (
    provider text NOT NULL,
    kind text NOT NULL,
    id text NOT NULL,
    user_id uuid NOT NULL,
    CONSTRAINT handles_kind_check CHECK ((kind = ANY (ARRAY['checkout'::text, 'subscription'::text, 'transaction'::text]))),
    CONSTRAINT handles_provider_check CHECK ((provider = ANY (ARRAY['creem'::text, 'bagelpay'::text])))
);


--
-- Name: inbox; Type: TABLE; Schema: billing; Owner: -
--

CREATE TABLE billing.inbox (
    id bigint NOT NULL,
    provider text NOT NULL,
    dedupe_key text NOT NULL,
    type text NOT NULL,
    raw bytea NOT NULL,
    headers jsonb NOT NULL,
    received_at timestamp with time zone NOT NULL,
    status text DEFAULT 'new'::text NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    next_try_at timestamp with time zone NOT NULL,
    done_at timestamp with time zone,
    told_digest bytea,
    error text,
    user_id uuid,
    CONSTRAINT inbox_done_has_time CHECK (((status = 'done'::text) = (done_at IS NOT NULL))),
    CONSTRAINT inbox_provider_check CHECK ((provider = ANY (ARRAY['creem'::text, 'bagelpay'::text]))),
    CONSTRAINT inbox_status_check CHECK ((status = ANY (ARRAY['new'::text, 'done'::text, 'failed'::text]))),
    CONSTRAINT inbox_told_digest_check CHECK ((length(told_digest) = 32))
);


--
-- Name: inbox_id_seq; Type: SEQUENCE; Schema: billing; Owner: -
--

ALTER TABLE billing.inbox ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME billing.inbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: orders; Type: TABLE; Schema: billing; Owner: -
--

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
    checkout_id text,
    checkout_url text,
    checkout_expires_at timestamp with time zone,
    status text DEFAULT 'open'::text NOT NULL,
    paid_at timestamp with time zone,
    confirming boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT orders_confirming_is_open CHECK (((NOT confirming) OR (status = 'open'::text))),
    CONSTRAINT orders_credits_check CHECK ((credits > 0)),
    CONSTRAINT orders_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT orders_cycle_check CHECK ((cycle = ANY (ARRAY['monthly'::text, 'annual'::text]))),
    CONSTRAINT orders_paid_has_time CHECK (((status <> ALL (ARRAY['paid'::text, 'refunded'::text, 'disputed'::text])) OR (paid_at IS NOT NULL))),
    CONSTRAINT orders_plan_key_check CHECK ((plan_key = ANY (ARRAY['gemini_basic'::text, 'gemini_pro'::text]))),
    CONSTRAINT orders_price_minor_check CHECK ((price_minor > 0)),
    CONSTRAINT orders_product_id_check CHECK ((product_id <> ''::text)),
    CONSTRAINT orders_provider_check CHECK ((provider = ANY (ARRAY['creem'::text, 'bagelpay'::text]))),
    CONSTRAINT orders_status_check CHECK ((status = ANY (ARRAY['open'::text, 'paid'::text, 'failed'::text, 'abandoned'::text, 'refunded'::text, 'disputed'::text])))
);


--
-- Name: account; Type: TABLE; Schema: credit; Owner: -
--

CREATE TABLE credit.account (
    user_id uuid NOT NULL,
    free_anchor timestamp with time zone NOT NULL,
    frozen_at timestamp with time zone,
    free_paused_until timestamp with time zone,
    free_taken_until timestamp with time zone,
    closed_at timestamp with time zone,
    free_withheld boolean DEFAULT false NOT NULL
);


--
-- Name: balance_drift; Type: VIEW; Schema: credit; Owner: -
--

CREATE VIEW credit.balance_drift AS
 SELECT chain.user_id,
    chain.id AS transfer_id
   FROM ( SELECT transfer.user_id,
            transfer.id,
            transfer.balance_after,
            transfer.line_change,
            sum(
                CASE 'available'::text
                    WHEN transfer.dst THEN transfer.amount
                    WHEN transfer.src THEN (- transfer.amount)
                    ELSE 0
                END) OVER history AS moved,
            sum(transfer.line_change) OVER history AS told
           FROM credit.transfer
          WINDOW history AS (PARTITION BY transfer.user_id ORDER BY transfer.id)) chain
  WHERE ((chain.balance_after <> chain.moved) OR ((chain.line_change IS NOT NULL) AND (chain.balance_after <> chain.told)))
UNION ALL
 SELECT a.user_id,
    last.id AS transfer_id
   FROM (credit.account a
     LEFT JOIN LATERAL ( SELECT t.id,
            t.balance_after
           FROM credit.transfer t
          WHERE (t.user_id = a.user_id)
          ORDER BY t.id DESC
         LIMIT 1) last ON (true))
  WHERE (COALESCE(last.balance_after, 0) <> ( SELECT COALESCE(sum(b.available), (0)::bigint) AS "coalesce"
           FROM credit.bucket b
          WHERE (b.user_id = a.user_id)));


--
-- Name: bucket_drift; Type: VIEW; Schema: credit; Owner: -
--

CREATE VIEW credit.bucket_drift AS
 SELECT movement.user_id,
    movement.bucket_id,
    movement.place,
    sum(movement.amount) AS difference
   FROM ( SELECT transfer.user_id,
            transfer.bucket_id,
            transfer.dst AS place,
            transfer.amount
           FROM credit.transfer
        UNION ALL
         SELECT transfer.user_id,
            transfer.bucket_id,
            transfer.src,
            (- transfer.amount)
           FROM credit.transfer
        UNION ALL
         SELECT b.user_id,
            b.id,
            counter.place,
            (- counter.amount)
           FROM credit.bucket b,
            LATERAL ( VALUES ('issue'::text,(- b.amount)), ('available'::text,b.available), ('held'::text,b.held), ('spent'::text,b.spent), ('expired'::text,b.expired), ('revoked'::text,b.revoked)) counter(place, amount)) movement
  GROUP BY movement.user_id, movement.bucket_id, movement.place
 HAVING (sum(movement.amount) <> 0);


--
-- Name: bucket_id_seq; Type: SEQUENCE; Schema: credit; Owner: -
--

ALTER TABLE credit.bucket ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME credit.bucket_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: receipt; Type: VIEW; Schema: credit; Owner: -
--

CREATE VIEW credit.receipt AS
 SELECT transfer.user_id,
    transfer.hold_id,
    transfer.bucket_id,
    transfer.amount
   FROM credit.transfer
  WHERE (transfer.dst = 'held'::text);


--
-- Name: hold_drift; Type: VIEW; Schema: credit; Owner: -
--

CREATE VIEW credit.hold_drift AS
 SELECT h.user_id,
    h.id AS hold_id,
    NULL::bigint AS bucket_id
   FROM (credit.hold h
     LEFT JOIN ( SELECT transfer.user_id,
            transfer.hold_id,
            sum(transfer.amount) FILTER (WHERE (transfer.dst = 'held'::text)) AS taken,
            sum(transfer.amount) FILTER (WHERE (transfer.dst = 'spent'::text)) AS spent,
            sum(transfer.amount) FILTER (WHERE (transfer.dst = 'available'::text)) AS returned
           FROM credit.transfer
          WHERE (transfer.hold_id IS NOT NULL)
          GROUP BY transfer.user_id, transfer.hold_id) t ON (((t.user_id = h.user_id) AND (t.hold_id = h.id))))
  WHERE (((t.taken IS DISTINCT FROM h.cost) OR (t.spent IS DISTINCT FROM
        CASE h.state
            WHEN 'settled'::text THEN h.cost
            ELSE NULL::integer
        END)) OR (t.returned IS DISTINCT FROM
        CASE h.state
            WHEN 'released'::text THEN h.cost
            ELSE NULL::integer
        END))
UNION ALL
 SELECT b.user_id,
    NULL::uuid AS hold_id,
    b.id AS bucket_id
   FROM (credit.bucket b
     LEFT JOIN ( SELECT r.user_id,
            r.bucket_id,
            sum(r.amount) AS amount
           FROM (credit.receipt r
             JOIN credit.hold h ON (((h.user_id = r.user_id) AND (h.id = r.hold_id) AND (h.state = 'held'::text))))
          GROUP BY r.user_id, r.bucket_id) open_hold ON (((open_hold.user_id = b.user_id) AND (open_hold.bucket_id = b.id))))
  WHERE (b.held <> COALESCE(open_hold.amount, (0)::bigint));


--
-- Name: drift; Type: VIEW; Schema: credit; Owner: -
--

CREATE VIEW credit.drift AS
 SELECT 'bucket'::text AS kind,
    d.user_id,
    (to_jsonb(d.*) - 'user_id'::text) AS detail
   FROM credit.bucket_drift d
UNION ALL
 SELECT 'hold'::text AS kind,
    d.user_id,
    (to_jsonb(d.*) - 'user_id'::text) AS detail
   FROM credit.hold_drift d
UNION ALL
 SELECT 'balance'::text AS kind,
    d.user_id,
    (to_jsonb(d.*) - 'user_id'::text) AS detail
   FROM credit.balance_drift d;


--
-- Name: transfer_id_seq; Type: SEQUENCE; Schema: credit; Owner: -
--

ALTER TABLE credit.transfer ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME credit.transfer_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: unrecovered; Type: VIEW; Schema: credit; Owner: -
--

CREATE VIEW credit.unrecovered AS
 SELECT bucket.user_id,
    bucket.id AS bucket_id,
    bucket.source_key,
    bucket.payment_key,
    bucket.order_id,
    bucket.revoke_reason AS reason,
    bucket.revoke_target,
    bucket.revoked,
    bucket.expired,
    bucket.spent,
    ((bucket.revoke_target - bucket.revoked) - bucket.expired) AS missing
   FROM credit.bucket
  WHERE ((bucket.held = 0) AND (((bucket.revoke_target - bucket.revoked) - bucket.expired) > 0));


--
-- Name: address_grants; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.address_grants (
    address_hash bytea NOT NULL,
    free_until timestamp with time zone NOT NULL,
    CONSTRAINT address_grants_address_hash_check CHECK ((length(address_hash) = 32))
);


--
-- Name: api_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.api_keys (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    name text NOT NULL,
    prefix text NOT NULL,
    hash bytea NOT NULL,
    models text[],
    monthly_cap integer,
    allowed_addresses text[],
    expires_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone,
    CONSTRAINT api_keys_hash_check CHECK ((length(hash) = 32)),
    CONSTRAINT api_keys_monthly_cap_check CHECK ((monthly_cap > 0)),
    CONSTRAINT api_keys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 80))),
    CONSTRAINT api_keys_prefix_check CHECK ((length(prefix) <= 60))
);


--
-- Name: api_requests; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.api_requests (
    message_id uuid NOT NULL,
    user_id uuid NOT NULL,
    key_id uuid,
    idempotency_key text,
    body_hash bytea NOT NULL,
    prompt_tokens integer NOT NULL,
    is_fresh boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT api_requests_body_hash_check CHECK ((length(body_hash) = 32)),
    CONSTRAINT api_requests_idempotency_key_check CHECK (((length(idempotency_key) >= 1) AND (length(idempotency_key) <= 255)))
);


--
-- Name: conversations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.conversations (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    title text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    folded_title text NOT NULL,
    pinned_at timestamp with time zone,
    archived_at timestamp with time zone,
    deleted_at timestamp with time zone,
    is_temporary boolean DEFAULT false NOT NULL,
    CONSTRAINT conversations_archived_is_not_pinned CHECK (((pinned_at IS NULL) OR (archived_at IS NULL)))
);


--
-- Name: departures; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.departures (
    user_id uuid NOT NULL,
    asked_at timestamp with time zone NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    next_try_at timestamp with time zone NOT NULL,
    done_at timestamp with time zone,
    error text
);


--
-- Name: email_changes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.email_changes (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    new_email text NOT NULL,
    old_confirmed_at timestamp with time zone,
    new_confirmed_at timestamp with time zone,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT email_changes_new_email_check CHECK (((new_email = lower(new_email)) AND ((length(new_email) >= 3) AND (length(new_email) <= 254))))
);


--
-- Name: enrolments; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.enrolments (
    user_id uuid NOT NULL,
    secret text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);


--
-- Name: export_chunks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.export_chunks (
    export_id uuid NOT NULL,
    try integer NOT NULL,
    number integer NOT NULL,
    bytes bytea NOT NULL
);
ALTER TABLE ONLY public.export_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;


--
-- Name: exports; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.exports (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    language text NOT NULL,
    state text DEFAULT 'waiting'::text NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    next_try_at timestamp with time zone NOT NULL,
    size bigint,
    ended_at timestamp with time zone,
    expires_at timestamp with time zone,
    error text,
    CONSTRAINT exports_ended_has_time CHECK (((state = 'waiting'::text) = (ended_at IS NULL))),
    CONSTRAINT exports_language_check CHECK ((language = ANY (ARRAY['zh'::text, 'en'::text]))),
    CONSTRAINT exports_ready_is_whole CHECK (((state = 'ready'::text) = ((size IS NOT NULL) AND (expires_at IS NOT NULL)))),
    CONSTRAINT exports_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'ready'::text, 'failed'::text])))
);


--
-- Name: identities; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.identities (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    provider_id text NOT NULL,
    account_id text NOT NULL,
    password text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    account_name text,
    CONSTRAINT identities_account_name_check CHECK ((length(account_name) <= 254)),
    CONSTRAINT identities_password_check CHECK ((password ~~ '$argon2id$%'::text))
);


--
-- Name: instances; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.instances (
    id uuid NOT NULL,
    seen_at timestamp with time zone NOT NULL
);


--
-- Name: known_devices; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.known_devices (
    user_id uuid NOT NULL,
    browser text NOT NULL,
    network text NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    CONSTRAINT known_devices_browser_check CHECK ((length(browser) <= 100)),
    CONSTRAINT known_devices_network_check CHECK ((length(network) <= 100))
);


--
-- Name: mails; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.mails (
    id uuid NOT NULL,
    key text NOT NULL,
    template text NOT NULL,
    to_address text NOT NULL,
    language text NOT NULL,
    params jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    next_try_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    outcome text,
    error text,
    CONSTRAINT mails_ended_has_outcome CHECK (((ended_at IS NULL) = (outcome IS NULL))),
    CONSTRAINT mails_key_check CHECK (((length(key) >= 1) AND (length(key) <= 200))),
    CONSTRAINT mails_language_check CHECK ((language = ANY (ARRAY['zh'::text, 'en'::text]))),
    CONSTRAINT mails_outcome_check CHECK ((outcome = ANY (ARRAY['sent'::text, 'unwanted'::text, 'failed'::text])))
);


--
-- Name: message_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.message_events (
    message_id uuid NOT NULL,
    first_seq integer NOT NULL,
    last_seq integer NOT NULL,
    events jsonb NOT NULL,
    written_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT message_events_check CHECK ((last_seq >= first_seq)),
    CONSTRAINT message_events_first_seq_check CHECK ((first_seq >= 1))
);


--
-- Name: messages; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.messages (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    conversation_id uuid,
    parent_id uuid,
    model text NOT NULL,
    content text NOT NULL,
    response text DEFAULT ''::text NOT NULL,
    status text DEFAULT 'running'::text NOT NULL,
    cost integer NOT NULL,
    credits_used integer DEFAULT 0 NOT NULL,
    error_code text,
    model_version text,
    upstream_model text,
    usage jsonb,
    context_trimmed boolean DEFAULT false NOT NULL,
    owner uuid NOT NULL,
    stop_requested_at timestamp with time zone,
    end_seq integer,
    created_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    first_text_ms integer,
    upstream_switched boolean DEFAULT false NOT NULL,
    erased_at timestamp with time zone,
    CONSTRAINT messages_rules CHECK (public.check_message(id, parent_id, conversation_id, status, cost, credits_used, first_text_ms, content, response, error_code, end_seq, ended_at, erased_at))
);


--
-- Name: passkey_challenges; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.passkey_challenges (
    hash text NOT NULL,
    purpose text NOT NULL,
    bound_to text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT passkey_challenges_purpose_check CHECK ((purpose = ANY (ARRAY['register'::text, 'sign_in'::text, 'second_step'::text, 'confirm'::text])))
);


--
-- Name: passkeys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.passkeys (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    credential_id text NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    transports text[] NOT NULL,
    name text NOT NULL,
    synced boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT passkeys_credential_id_check CHECK ((length(credential_id) <= 1400)),
    CONSTRAINT passkeys_name_check CHECK ((length(name) <= 200)),
    CONSTRAINT passkeys_public_key_check CHECK ((length(public_key) <= 8192))
);


--
-- Name: pictures; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pictures (
    user_id uuid NOT NULL,
    hash text NOT NULL,
    image bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT pictures_hash_check CHECK ((length(hash) = 43)),
    CONSTRAINT pictures_image_check CHECK ((length(image) <= 1000000))
);
ALTER TABLE ONLY public.pictures ALTER COLUMN image SET STORAGE EXTERNAL;


--
-- Name: rate_limits; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rate_limits (
    key text NOT NULL,
    count integer NOT NULL,
    started_at timestamp with time zone NOT NULL
);


--
-- Name: recovery_codes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.recovery_codes (
    user_id uuid NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT recovery_codes_hash_check CHECK ((length(hash) = 32))
);


--
-- Name: schema_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.schema_migrations (
    name text NOT NULL,
    hash text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: search_queue; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_queue (
    message_id uuid NOT NULL
);


--
-- Name: search_texts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_texts (
    message_id uuid NOT NULL,
    user_id uuid NOT NULL,
    conversation_id uuid NOT NULL,
    sent_at timestamp with time zone NOT NULL,
    body text NOT NULL,
    slots smallint[] NOT NULL
);


--
-- Name: second_factors; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.second_factors (
    user_id uuid NOT NULL,
    secret text NOT NULL,
    last_step bigint NOT NULL,
    recovery_salt bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT second_factors_recovery_salt_check CHECK ((length(recovery_salt) = 16))
);


--
-- Name: sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sessions (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    token text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ip_address text,
    user_agent text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    used_at timestamp with time zone DEFAULT now() NOT NULL,
    confirmed_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: sign_in_steps; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sign_in_steps (
    hash text NOT NULL,
    user_id uuid NOT NULL,
    remember_me boolean NOT NULL,
    wrong integer DEFAULT 0 NOT NULL,
    expires_at timestamp with time zone NOT NULL
);


--
-- Name: subscriptions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.subscriptions (
    user_id uuid NOT NULL,
    plan_key text NOT NULL,
    cycle text NOT NULL,
    provider text NOT NULL,
    active boolean NOT NULL,
    cancel_at_period_end boolean DEFAULT false NOT NULL,
    current_period_start timestamp with time zone,
    expires_at timestamp with time zone,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    state text NOT NULL,
    access_until timestamp with time zone,
    CONSTRAINT subscriptions_cycle_check CHECK ((cycle = ANY (ARRAY['monthly'::text, 'annual'::text]))),
    CONSTRAINT subscriptions_period CHECK (((current_period_start IS NULL) OR (expires_at IS NULL) OR (current_period_start < expires_at))),
    CONSTRAINT subscriptions_plan_key_check CHECK ((plan_key = ANY (ARRAY['gemini_basic'::text, 'gemini_pro'::text]))),
    CONSTRAINT subscriptions_provider_check CHECK ((provider = ANY (ARRAY['creem'::text, 'bagelpay'::text]))),
    CONSTRAINT subscriptions_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'active'::text, 'scheduled_cancel'::text, 'past_due'::text, 'expired'::text, 'refunded'::text, 'disputed'::text])))
);


--
-- Name: users; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.users (
    id uuid NOT NULL,
    email text,
    email_verified boolean DEFAULT false NOT NULL,
    display_name text NOT NULL,
    photo_url text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    last_login_at timestamp with time zone DEFAULT now() NOT NULL,
    language text DEFAULT 'zh'::text NOT NULL,
    address_hash bytea,
    leaving_at timestamp with time zone,
    deleted_at timestamp with time zone,
    free_withheld text,
    CONSTRAINT users_address_hash_check CHECK ((length(address_hash) = 32)),
    CONSTRAINT users_deleted_is_nobody CHECK (
CASE
    WHEN (deleted_at IS NULL) THEN (email IS NOT NULL)
    ELSE ((leaving_at IS NOT NULL) AND (email IS NULL) AND (display_name = ''::text) AND (photo_url IS NULL) AND (address_hash IS NULL))
END),
    CONSTRAINT users_display_name_check CHECK ((length(display_name) <= 200)),
    CONSTRAINT users_email_check CHECK (((email = lower(email)) AND ((length(email) >= 3) AND (length(email) <= 254)))),
    CONSTRAINT users_free_withheld_check CHECK ((free_withheld = ANY (ARRAY['disposable'::text, 'unverified'::text]))),
    CONSTRAINT users_language_check CHECK ((language = ANY (ARRAY['zh'::text, 'en'::text]))),
    CONSTRAINT users_photo_url_check CHECK ((length(photo_url) <= 2000))
);


--
-- Name: verifications; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.verifications (
    id uuid NOT NULL,
    identifier text NOT NULL,
    value text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Data for Name: account; Type: TABLE DATA; Schema: billing; Owner: -
--

INSERT INTO billing.account VALUES
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', '{}', false, '2026-12-20 19:26:32.176+00', '2026-11-23 19:26:37.368+00', 0, '2026-11-23 19:26:32.514+00'),
	('01a209df-ce84-705d-91a9-36221f6b0cb0', '{}', false, '2027-11-16 19:26:33+00', '2026-11-23 19:26:47.904+00', 0, '2026-11-23 19:26:33.39+00');


--
-- Data for Name: audit; Type: TABLE DATA; Schema: billing; Owner: -
--



--
-- Data for Name: cancellations; Type: TABLE DATA; Schema: billing; Owner: -
--



--
-- Data for Name: facts; Type: TABLE DATA; Schema: billing; Owner: -
--

INSERT INTO billing.facts OVERRIDING SYSTEM VALUE VALUES
	(1, 'creem', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', 'checkout', 'ch_zYT04zQzRI4QSYA', '{order:01a209df-cebf-7795-a60f-024692c2961f,checkout:ch_zYT04zQzRI4QSYA,subscription:sub_YUoJhS97ninwS0k}', false, '{"at": "2026-11-23T19:26:32.176Z", "kind": "checkout", "mode": "test", "status": "completed", "userId": "01a209df-ce2a-71ed-a0d8-82a7eb2da962", "orderId": "01a209df-cebf-7795-a60f-024692c2961f", "productId": "prod_basic_monthly", "checkoutId": "ch_zYT04zQzRI4QSYA", "customerId": "cust_03UBKU0TsyaMajU", "customerEmail": "ada@example.test", "subscriptionId": "sub_YUoJhS97ninwS0k"}', '\x7b6f3264e98a9c937e501fb6d3ecd3aceaec46081602a3e09e4961bf9dc62988', 'webhook', 1, '2026-11-23 19:26:32.25+00'),
	(3, 'creem', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', 'subscription', 'sub_YUoJhS97ninwS0k', '{order:01a209df-cebf-7795-a60f-024692c2961f,subscription:sub_YUoJhS97ninwS0k}', false, '{"kind": "subscription", "mode": "test", "rank": 2, "status": "active", "orderId": "01a209df-cebf-7795-a60f-024692c2961f", "cancelAt": null, "periodEnd": "2026-12-23T19:26:32.176Z", "productId": "prod_basic_monthly", "updatedAt": "2026-11-23T19:26:32.176Z", "customerId": "cust_03UBKU0TsyaMajU", "periodStart": "2026-11-23T19:26:32.176Z", "customerEmail": "ada@example.test", "subscriptionId": "sub_YUoJhS97ninwS0k"}', '\x053279fa363d2f53b25056ec2ec8afb5b6f85ae6d7d7831ded3a42996fbfceb1', 'question', NULL, '2026-11-23 19:26:32.282+00'),
	(4, 'creem', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', 'payment', 'tran_KnjRyR305Fhkb0A', '{order:01a209df-cebf-7795-a60f-024692c2961f,subscription:sub_YUoJhS97ninwS0k,transaction:tran_KnjRyR305Fhkb0A}', false, '{"kind": "payment", "mode": "test", "match": "told", "paidAt": "2026-11-23T19:26:32.176Z", "orderId": "01a209df-cebf-7795-a60f-024692c2961f", "currency": "USD", "netMinor": 690, "periodEnd": "2026-12-23T19:26:32.176Z", "productId": "prod_basic_monthly", "customerId": "cust_03UBKU0TsyaMajU", "amountMinor": 690, "periodStart": "2026-11-23T19:26:32.176Z", "customerEmail": null, "transactionId": "tran_KnjRyR305Fhkb0A", "subscriptionId": "sub_YUoJhS97ninwS0k"}', '\x6555174dd56b7c105b57633710dc687cf44c7af61a386dd90465f830af9b3f1d', 'question', NULL, '2026-11-23 19:26:32.282+00'),
	(5, 'creem', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', 'subscription', 'sub_YUoJhS97ninwS0k', '{subscription:sub_YUoJhS97ninwS0k}', false, '{"kind": "subscription", "mode": "test", "rank": 2, "status": "active", "orderId": null, "cancelAt": null, "periodEnd": null, "productId": "prod_basic_monthly", "updatedAt": "2026-11-23T19:26:32.176Z", "customerId": "cust_03UBKU0TsyaMajU", "periodStart": null, "customerEmail": "ada@example.test", "subscriptionId": "sub_YUoJhS97ninwS0k"}', '\xb59e6d65eaa58cca45e26bc851a6c490307d9f3c972151e47f1fe9af8e244253', 'webhook', 2, '2026-11-23 19:26:32.311+00'),
	(8, 'creem', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', 'payment', 'tran_KnjRyR305Fhkb0A', '{order:01a209df-cebf-7795-a60f-024692c2961f,subscription:sub_YUoJhS97ninwS0k,transaction:tran_KnjRyR305Fhkb0A}', false, '{"kind": "payment", "mode": "test", "match": "told", "paidAt": "2026-11-23T19:26:32.176Z", "orderId": "01a209df-cebf-7795-a60f-024692c2961f", "currency": "USD", "netMinor": 690, "periodEnd": "2026-12-23T19:26:32.176Z", "productId": "prod_basic_monthly", "customerId": "cust_03UBKU0TsyaMajU", "amountMinor": 690, "periodStart": "2026-11-23T19:26:32.176Z", "customerEmail": "ada@example.test", "transactionId": "tran_KnjRyR305Fhkb0A", "subscriptionId": "sub_YUoJhS97ninwS0k"}', '\xf25ad66d94c03a8e539b4bbeead9d830a41b397be3fe8a70969406c80d72a908', 'webhook', 3, '2026-11-23 19:26:32.363+00'),
	(9, 'bagelpay', '01a209df-ce84-705d-91a9-36221f6b0cb0', 'checkout', 'ch_191504009162580961', '{order:01a209df-d1c8-743d-ba44-723ded957661,checkout:ch_191504009162580961}', false, '{"at": "2026-11-23T19:26:33.000Z", "kind": "checkout", "mode": "test", "status": "completed", "userId": "01a209df-ce84-705d-91a9-36221f6b0cb0", "orderId": "01a209df-d1c8-743d-ba44-723ded957661", "productId": "prod_pro_annual", "checkoutId": "ch_191504009162580961", "customerId": "1991594838", "customerEmail": "bo@example.test", "subscriptionId": null}', '\x45719d4558ed001541014fe639e17f16dc71e31f89d57bafcb94a3775a50dea6', 'webhook', 4, '2026-11-23 19:26:33.163+00'),
	(10, 'bagelpay', '01a209df-ce84-705d-91a9-36221f6b0cb0', 'payment', 'ORD_198000585587576586', '{order:01a209df-d1c8-743d-ba44-723ded957661,subscription:sub_195485703691433272,transaction:ORD_198000585587576586}', false, '{"kind": "payment", "mode": "test", "match": "told", "paidAt": "2026-11-23T19:26:33.097Z", "orderId": "01a209df-d1c8-743d-ba44-723ded957661", "currency": "USD", "netMinor": 11880, "periodEnd": "2027-11-23T19:26:33.000Z", "productId": "prod_pro_annual", "customerId": "1991594838", "amountMinor": 11880, "periodStart": "2026-11-23T19:26:33.000Z", "customerEmail": "bo@example.test", "transactionId": "ORD_198000585587576586", "subscriptionId": "sub_195485703691433272"}', '\xdb8db2f4a6b3453c76e3fc3d33e37e322766c7759961e175b2c07fb9f3811b41', 'webhook', 4, '2026-11-23 19:26:33.163+00'),
	(11, 'bagelpay', '01a209df-ce84-705d-91a9-36221f6b0cb0', 'subscription', 'sub_195485703691433272', '{subscription:sub_195485703691433272}', false, '{"kind": "subscription", "mode": "test", "rank": 2, "status": "active", "orderId": null, "cancelAt": null, "periodEnd": "2027-11-23T19:26:33.000Z", "productId": "prod_pro_annual", "updatedAt": "2026-11-23T19:26:33.000Z", "customerId": "1991594838", "periodStart": "2026-11-23T19:26:33.000Z", "customerEmail": "bo@example.test", "subscriptionId": "sub_195485703691433272"}', '\x5e1c5f5ffcc64f76f53eb929edf74dbe0246b94e10834f1b668bf54be213ac6a', 'webhook', 4, '2026-11-23 19:26:33.163+00'),
	(12, 'bagelpay', '01a209df-ce84-705d-91a9-36221f6b0cb0', 'subscription', 'sub_195485703691433272', '{order:01a209df-d1c8-743d-ba44-723ded957661,subscription:sub_195485703691433272}', false, '{"kind": "subscription", "mode": "test", "rank": 2, "status": "active", "orderId": "01a209df-d1c8-743d-ba44-723ded957661", "cancelAt": null, "periodEnd": "2027-11-23T19:26:33.000Z", "productId": "prod_pro_annual", "updatedAt": "2026-11-23T19:26:33.000Z", "customerId": "1991594838", "periodStart": "2026-11-23T19:26:33.000Z", "customerEmail": "bo@example.test", "subscriptionId": "sub_195485703691433272"}', '\xbf9b33c9a73c2da34199eff5f346459aea100719915d2541db9cb1d17199113b', 'webhook', 5, '2026-11-23 19:26:33.176+00'),
	(16, 'bagelpay', '01a209df-ce84-705d-91a9-36221f6b0cb0', 'payment', 'ORD_198000585587576586', '{order:01a209df-d1c8-743d-ba44-723ded957661,subscription:sub_195485703691433272,transaction:ORD_198000585587576586}', false, '{"kind": "payment", "mode": "test", "match": "told", "paidAt": "2026-11-23T19:26:33.000Z", "orderId": "01a209df-d1c8-743d-ba44-723ded957661", "currency": "USD", "netMinor": 11880, "periodEnd": "2027-11-23T19:26:33.000Z", "productId": "prod_pro_annual", "customerId": "1991594838", "amountMinor": 11880, "periodStart": "2026-11-23T19:26:33.000Z", "customerEmail": "bo@example.test", "transactionId": "ORD_198000585587576586", "subscriptionId": "sub_195485703691433272"}', '\xf7f713d5d8493aa786e1633bbdd3c76319c4f2dcd6c908d7c5b58af13f81cc9e', 'question', NULL, '2026-11-23 19:26:33.235+00');


--
-- Data for Name: handles; Type: TABLE DATA; Schema: billing; Owner: -
--

INSERT INTO billing.handles VALUES
	('creem', 'subscription', 'sub_YUoJhS97ninwS0k', '01a209df-ce2a-71ed-a0d8-82a7eb2da962'),
	('creem', 'transaction', 'tran_KnjRyR305Fhkb0A', '01a209df-ce2a-71ed-a0d8-82a7eb2da962'),
	('bagelpay', 'subscription', 'sub_195485703691433272', '01a209df-ce84-705d-91a9-36221f6b0cb0'),
	('bagelpay', 'transaction', 'ORD_198000585587576586', '01a209df-ce84-705d-91a9-36221f6b0cb0');


--
-- Data for Name: inbox; Type: TABLE DATA; Schema: billing; Owner: -
--

INSERT INTO billing.inbox OVERRIDING SYSTEM VALUE VALUES
	(1, 'creem', 'evt_VX0onac0OsD5kiY:checkout.completed', 'checkout.completed', '\x7b226964223a226576745f5658306f6e6163304f7344356b6959222c226576656e7454797065223a22636865636b6f75742e636f6d706c65746564222c22637265617465645f6174223a313739353436313939323137372c226f626a656374223a7b226964223a2263685f7a595430347a517a52493451535941222c226f626a656374223a22636865636b6f7574222c226d6f6465223a2274657374222c22737461747573223a22636f6d706c65746564222c22726571756573745f6964223a2230316132303964662d636562662d373739352d613630662d303234363932633239363166222c2270726f64756374223a7b226964223a2270726f645f62617369635f6d6f6e74686c79222c226f626a656374223a2270726f64756374222c226d6f6465223a2274657374222c226e616d65223a22426173696320e59fbae7a180e78988222c226465736372697074696f6e223a22466f72206461696c79207573652c207769746820666f7572206d6f64656c732e222c227072696365223a3639302c2263757272656e6379223a22555344222c2262696c6c696e675f74797065223a22726563757272696e67222c2262696c6c696e675f706572696f64223a2265766572792d6d6f6e7468222c22737461747573223a22616374697665222c227461785f6d6f6465223a22696e636c7573697665222c227461785f63617465676f7279223a2273616173222c2270726f647563745f75726c223a22687474703a2f2f3132372e302e302e313a34343236312f70726f647563742f70726f645f62617369635f6d6f6e74686c79222c2264656661756c745f737563636573735f75726c223a6e756c6c2c22637265617465645f6174223a22323032362d31312d32335431393a32363a33302e3732395a222c22757064617465645f6174223a22323032362d31312d32335431393a32363a33302e3732395a227d2c22756e697473223a312c226f72646572223a7b226964223a226f72645f306a644f71327775426a776f523045222c226f626a656374223a226f72646572222c226d6f6465223a2274657374222c22637573746f6d6572223a22637573745f303355424b5530547379614d616a55222c2270726f64756374223a2270726f645f62617369635f6d6f6e74686c79222c227472616e73616374696f6e223a227472616e5f4b6e6a52795233303546686b623041222c22616d6f756e74223a3639302c227375625f746f74616c223a3639302c227461785f616d6f756e74223a302c22646973636f756e745f616d6f756e74223a302c22616d6f756e745f647565223a3639302c22616d6f756e745f70616964223a3639302c2263757272656e6379223a22555344222c22737461747573223a2270616964222c2274797065223a22726563757272696e67222c22637265617465645f6174223a22323032362d31312d32335431393a32363a33322e3137365a222c22757064617465645f6174223a22323032362d31312d32335431393a32363a33322e3137365a227d2c22737562736372697074696f6e223a7b226964223a227375625f59556f4a685339376e696e7753306b222c226f626a656374223a22737562736372697074696f6e222c226d6f6465223a2274657374222c22636f6c6c656374696f6e5f6d6574686f64223a226368617267655f6175746f6d61746963616c6c79222c22737461747573223a22616374697665222c2263616e63656c65645f6174223a6e756c6c2c22637265617465645f6174223a22323032362d31312d32335431393a32363a33322e3137365a222c22757064617465645f6174223a22323032362d31312d32335431393a32363a33322e3137365a222c2270726f64756374223a2270726f645f62617369635f6d6f6e74686c79222c22637573746f6d6572223a22637573745f303355424b5530547379614d616a55222c226d65746164617461223a7b226f726465725f6964223a2230316132303964662d636562662d373739352d613630662d303234363932633239363166222c22757365725f6964223a2230316132303964662d636532612d373165642d613064382d383261376562326461393632227d7d2c22637573746f6d6572223a7b226964223a22637573745f303355424b5530547379614d616a55222c226f626a656374223a22637573746f6d6572222c226d6f6465223a2274657374222c22656d61696c223a22616461406578616d706c652e74657374222c226e616d65223a22616461222c22636f756e747279223a224e4c222c22637265617465645f6174223a22323032362d31312d32335431393a32363a33322e3137365a222c22757064617465645f6174223a22323032362d31312d32335431393a32363a33322e3137365a227d2c22637573746f6d5f6669656c6473223a5b5d2c22636865636b6f75745f75726c223a22687474703a2f2f3132372e302e302e313a34343236312f636865636b6f75742f63685f7a595430347a517a52493451535941222c22737563636573735f75726c223a22687474703a2f2f6c6f63616c686f73743a33353834312f7a682f737562736372697074696f6e3f6f726465723d30316132303964662d636562662d373739352d613630662d303234363932633239363166222c226d65746164617461223a7b226f726465725f6964223a2230316132303964662d636562662d373739352d613630662d303234363932633239363166222c22757365725f6964223a2230316132303964662d636532612d373165642d613064382d383261376562326461393632227d7d7d', '{"user-agent": "node", "content-type": "application/json", "creem-signature": "a2e9bded3150f1e8ea22329d8ab57819990e71eca19b6d5cbd8e96b3ab6f7844"}', '2026-11-23 19:26:32.244+00', 'done', 1, '2026-11-23 19:28:02.245+00', '2026-11-23 19:26:32.37+00', '\x7b6f3264e98a9c937e501fb6d3ecd3aceaec46081602a3e09e4961bf9dc62988', NULL, '01a209df-ce2a-71ed-a0d8-82a7eb2da962'),
	(2, 'creem', 'evt_XA0Whh71nO7sFwM:subscription.active', 'subscription.active', '\x7b226964223a226576745f58413057686837316e4f377346774d222c226576656e7454797065223a22737562736372697074696f6e2e616374697665222c22637265617465645f6174223a313739353436313939323137372c226f626a656374223a7b226964223a227375625f59556f4a685339376e696e7753306b222c226f626a656374223a22737562736372697074696f6e222c226d6f6465223a2274657374222c22636f6c6c656374696f6e5f6d6574686f64223a226368617267655f6175746f6d61746963616c6c79222c22737461747573223a22616374697665222c2263616e63656c65645f6174223a6e756c6c2c22637265617465645f6174223a22323032362d31312d32335431393a32363a33322e3137365a222c22757064617465645f6174223a22323032362d31312d32335431393a32363a33322e3137365a222c2270726f64756374223a7b226964223a2270726f645f62617369635f6d6f6e74686c79222c226f626a656374223a2270726f64756374222c226d6f6465223a2274657374222c226e616d65223a22426173696320e59fbae7a180e78988222c226465736372697074696f6e223a22466f72206461696c79207573652c207769746820666f7572206d6f64656c732e222c227072696365223a3639302c2263757272656e6379223a22555344222c2262696c6c696e675f74797065223a22726563757272696e67222c2262696c6c696e675f706572696f64223a2265766572792d6d6f6e7468222c22737461747573223a22616374697665222c227461785f6d6f6465223a22696e636c7573697665222c227461785f63617465676f7279223a2273616173222c2270726f647563745f75726c223a22687474703a2f2f3132372e302e302e313a34343236312f70726f647563742f70726f645f62617369635f6d6f6e74686c79222c2264656661756c745f737563636573735f75726c223a6e756c6c2c22637265617465645f6174223a22323032362d31312d32335431393a32363a33302e3732395a222c22757064617465645f6174223a22323032362d31312d32335431393a32363a33302e3732395a227d2c22637573746f6d6572223a7b226964223a22637573745f303355424b5530547379614d616a55222c226f626a656374223a22637573746f6d6572222c226d6f6465223a2274657374222c22656d61696c223a22616461406578616d706c652e74657374222c226e616d65223a22616461222c22636f756e747279223a224e4c222c22637265617465645f6174223a22323032362d31312d32335431393a32363a33322e3137365a222c22757064617465645f6174223a22323032362d31312d32335431393a32363a33322e3137365a227d7d7d', '{"user-agent": "node", "content-type": "application/json", "creem-signature": "2a3f1072af1dfaa114ff28a54dfc688acb3b004fc44c7c3ac94c9c3cf1d6955d"}', '2026-11-23 19:26:32.287+00', 'done', 1, '2026-11-23 19:28:02.293+00', '2026-11-23 19:26:32.497+00', '\xb59e6d65eaa58cca45e26bc851a6c490307d9f3c972151e47f1fe9af8e244253', NULL, '01a209df-ce2a-71ed-a0d8-82a7eb2da962'),
	(3, 'creem', 'evt_ak0ksKPkkk93SW4:subscription.paid', 'subscription.paid', '\x7b226964223a226576745f616b306b734b506b6b6b3933535734222c226576656e7454797065223a22737562736372697074696f6e2e70616964222c22637265617465645f6174223a313739353436313939323137372c226f626a656374223a7b226964223a227375625f59556f4a685339376e696e7753306b222c226f626a656374223a22737562736372697074696f6e222c226d6f6465223a2274657374222c22636f6c6c656374696f6e5f6d6574686f64223a226368617267655f6175746f6d61746963616c6c79222c22737461747573223a22616374697665222c2263616e63656c65645f6174223a6e756c6c2c22637265617465645f6174223a22323032362d31312d32335431393a32363a33322e3137365a222c22757064617465645f6174223a22323032362d31312d32335431393a32363a33322e3137365a222c2270726f64756374223a7b226964223a2270726f645f62617369635f6d6f6e74686c79222c226f626a656374223a2270726f64756374222c226d6f6465223a2274657374222c226e616d65223a22426173696320e59fbae7a180e78988222c226465736372697074696f6e223a22466f72206461696c79207573652c207769746820666f7572206d6f64656c732e222c227072696365223a3639302c2263757272656e6379223a22555344222c2262696c6c696e675f74797065223a22726563757272696e67222c2262696c6c696e675f706572696f64223a2265766572792d6d6f6e7468222c22737461747573223a22616374697665222c227461785f6d6f6465223a22696e636c7573697665222c227461785f63617465676f7279223a2273616173222c2270726f647563745f75726c223a22687474703a2f2f3132372e302e302e313a34343236312f70726f647563742f70726f645f62617369635f6d6f6e74686c79222c2264656661756c745f737563636573735f75726c223a6e756c6c2c22637265617465645f6174223a22323032362d31312d32335431393a32363a33302e3732395a222c22757064617465645f6174223a22323032362d31312d32335431393a32363a33302e3732395a227d2c22637573746f6d6572223a7b226964223a22637573745f303355424b5530547379614d616a55222c226f626a656374223a22637573746f6d6572222c226d6f6465223a2274657374222c22656d61696c223a22616461406578616d706c652e74657374222c226e616d65223a22616461222c22636f756e747279223a224e4c222c22637265617465645f6174223a22323032362d31312d32335431393a32363a33322e3137365a222c22757064617465645f6174223a22323032362d31312d32335431393a32363a33322e3137365a227d2c226974656d73223a5b7b226964223a22736974656d5f59556f4a685339376e696e7753306b222c226f626a656374223a22737562736372697074696f6e5f6974656d222c2270726f647563745f6964223a2270726f645f62617369635f6d6f6e74686c79222c2270726963655f6964223a227070726963655f62617369635f6d6f6e74686c79222c22756e697473223a312c226d6f6465223a2274657374227d5d2c226c6173745f7472616e73616374696f6e5f6964223a227472616e5f4b6e6a52795233303546686b623041222c226c6173745f7472616e73616374696f6e5f64617465223a22323032362d31312d32335431393a32363a33322e3137365a222c226e6578745f7472616e73616374696f6e5f64617465223a22323032362d31322d32335431393a32363a33322e3137365a222c2263757272656e745f706572696f645f73746172745f64617465223a22323032362d31312d32335431393a32363a33322e3137365a222c2263757272656e745f706572696f645f656e645f64617465223a22323032362d31322d32335431393a32363a33322e3137365a222c226d65746164617461223a7b226f726465725f6964223a2230316132303964662d636562662d373739352d613630662d303234363932633239363166222c22757365725f6964223a2230316132303964662d636532612d373165642d613064382d383261376562326461393632227d7d7d', '{"user-agent": "node", "content-type": "application/json", "creem-signature": "1f3b79892237877815c530dd4c3aaf6126490c0b0d2f6d73118a2a9f064fe466"}', '2026-11-23 19:26:32.31+00', 'done', 1, '2026-11-23 19:28:02.318+00', '2026-11-23 19:26:32.514+00', '\xebe01e29d2f799eb9ff3ef45bd5fd8633511ad5a3f8f5a41e371e76c8acfc4e3', NULL, '01a209df-ce2a-71ed-a0d8-82a7eb2da962'),
	(5, 'bagelpay', 'evt_1d6cae83252f0253fa737305d:subscription.paid', 'subscription.paid', '\x7b226576656e745f6964223a226576745f31643663616538333235326630323533666137333733303564222c226576656e745f74797065223a22737562736372697074696f6e2e70616964222c22637265617465645f6174223a22323032362d31312d32332031393a32363a3333222c226f626a656374223a7b226f626a656374223a22636865636b6f7574222c226d6f6465223a2274657374222c227061796d656e745f6964223a2263685f313931353034303039313632353830393631222c22726571756573745f6964223a2230316132303964662d643163382d373433642d626134342d373233646564393537363631222c226f72646572223a7b226f626a656374223a226f72646572222c226f726465725f6964223a224f52445f313938303030353835353837353736353836222c2270726f647563745f6964223a2270726f645f70726f5f616e6e75616c222c22737461747573223a2270616964222c22616d6f756e74223a3131382e382c227461785f616d6f756e74223a302c2263757272656e6379223a22757364222c22637265617465645f6174223a22323032362d31312d32332031393a32363a33332e303937222c22757064617465645f6174223a22323032362d31312d32332031393a32363a33332e303937227d2c2270726f64756374223a7b226f626a656374223a2270726f64756374222c226d6f6465223a2274657374222c2270726f647563745f6964223a2270726f645f70726f5f616e6e75616c222c2273746f72655f6964223a2273746f72655f31222c226e616d65223a2250726f20e4b893e4b89ae78988222c226465736372697074696f6e223a224576657279206d6f64656c2c20436f6d70757465722055736520696e636c756465642c2077697468207072696f7269747920737570706f72742e222c227072696365223a3131382e382c2263757272656e6379223a22555344222c2262696c6c696e675f74797065223a22737562736372697074696f6e222c22726563757272696e675f696e74657276616c223a22796561726c79222c22747269616c5f64617973223a302c227461785f63617465676f7279223a226469676974616c5f70726f6475637473222c227461785f696e636c7573697665223a747275652c2269735f61726368697665223a747275652c2270726f647563745f75726c223a22687474703a2f2f3132372e302e302e313a33353933392f70726f647563742f70726f645f70726f5f616e6e75616c222c22637265617465645f6174223a22323032362d31312d32332031393a32363a3330222c22757064617465645f6174223a22323032362d31312d32332031393a32363a3330227d2c22637573746f6d6572223a7b226964223a2231393931353934383338222c22656d61696c223a22626f406578616d706c652e74657374227d2c22737562736372697074696f6e223a7b22737461747573223a22616374697665222c2272656d61726b223a6e756c6c2c22637573746f6d6572223a7b226964223a2231393931353934383338222c22656d61696c223a22626f406578616d706c652e74657374227d2c226d6f6465223a2274657374222c226c61737434223a2234323432222c22737562736372697074696f6e5f6964223a227375625f313935343835373033363931343333323732222c2270726f647563745f6964223a2270726f645f70726f5f616e6e75616c222c2273746f72655f6964223a2273746f72655f31222c2262696c6c696e675f706572696f645f7374617274223a22323032362d31312d32332031393a32363a3333222c2262696c6c696e675f706572696f645f656e64223a22323032372d31312d32332031393a32363a3333222c2263616e63656c5f6174223a6e756c6c2c22747269616c5f7374617274223a6e756c6c2c22747269616c5f656e64223a6e756c6c2c22756e697473223a312c22637265617465645f6174223a22323032362d31312d32332031393a32363a3333222c22757064617465645f6174223a22323032362d31312d32332031393a32363a3333222c2270726f647563745f6e616d65223a2250726f20e4b893e4b89ae78988222c227061796d656e745f6d6574686f64223a2263617264222c226e6578745f62696c6c696e675f616d6f756e74223a31313838302c22726563757272696e675f696e74657276616c223a22796561726c79227d2c226d65746164617461223a7b226f726465725f6964223a2230316132303964662d643163382d373433642d626134342d373233646564393537363631222c22757365725f6964223a2230316132303964662d636538342d373035642d393161392d333632323166366230636230227d2c22737563636573735f75726c223a22687474703a2f2f6c6f63616c686f73743a33353834312f7a682f737562736372697074696f6e3f6f726465723d30316132303964662d643163382d373433642d626134342d373233646564393537363631227d7d', '{"timestamp": "1795461993", "user-agent": "node", "content-type": "application/json", "bagelpay-signature": "2cc9169df026c93fa49525a4c955b320c13ec50826b973b50186fc339c0f722f"}', '2026-11-23 19:26:33.143+00', 'done', 1, '2026-11-23 19:28:03.144+00', '2026-11-23 19:26:33.3+00', '\x9636e86960d4229be6ad893e54e27230bd286c86fad998338eeed35b99d2089b', NULL, '01a209df-ce84-705d-91a9-36221f6b0cb0'),
	(4, 'bagelpay', 'evt_10e278238392d6b7872b4b60e:checkout.completed', 'checkout.completed', '\x7b226576656e745f6964223a226576745f31306532373832333833393264366237383732623462363065222c226576656e745f74797065223a22636865636b6f75742e636f6d706c65746564222c22637265617465645f6174223a22323032362d31312d32332031393a32363a3333222c226f626a656374223a7b226f626a656374223a22636865636b6f7574222c226d6f6465223a2274657374222c227061796d656e745f6964223a2263685f313931353034303039313632353830393631222c22726571756573745f6964223a2230316132303964662d643163382d373433642d626134342d373233646564393537363631222c226f72646572223a7b226f626a656374223a226f72646572222c226f726465725f6964223a224f52445f313938303030353835353837353736353836222c2270726f647563745f6964223a2270726f645f70726f5f616e6e75616c222c22737461747573223a2270616964222c22616d6f756e74223a3131382e382c227461785f616d6f756e74223a302c2263757272656e6379223a22757364222c22637265617465645f6174223a22323032362d31312d32332031393a32363a33332e303937222c22757064617465645f6174223a22323032362d31312d32332031393a32363a33332e303937227d2c2270726f64756374223a7b226f626a656374223a2270726f64756374222c226d6f6465223a2274657374222c2270726f647563745f6964223a2270726f645f70726f5f616e6e75616c222c2273746f72655f6964223a2273746f72655f31222c226e616d65223a2250726f20e4b893e4b89ae78988222c226465736372697074696f6e223a224576657279206d6f64656c2c20436f6d70757465722055736520696e636c756465642c2077697468207072696f7269747920737570706f72742e222c227072696365223a3131382e382c2263757272656e6379223a22555344222c2262696c6c696e675f74797065223a22737562736372697074696f6e222c22726563757272696e675f696e74657276616c223a22796561726c79222c22747269616c5f64617973223a302c227461785f63617465676f7279223a226469676974616c5f70726f6475637473222c227461785f696e636c7573697665223a747275652c2269735f61726368697665223a747275652c2270726f647563745f75726c223a22687474703a2f2f3132372e302e302e313a33353933392f70726f647563742f70726f645f70726f5f616e6e75616c222c22637265617465645f6174223a22323032362d31312d32332031393a32363a3330222c22757064617465645f6174223a22323032362d31312d32332031393a32363a3330227d2c22637573746f6d6572223a7b226964223a2231393931353934383338222c22656d61696c223a22626f406578616d706c652e74657374227d2c226d65746164617461223a7b226f726465725f6964223a2230316132303964662d643163382d373433642d626134342d373233646564393537363631222c22757365725f6964223a2230316132303964662d636538342d373035642d393161392d333632323166366230636230227d2c22737563636573735f75726c223a22687474703a2f2f6c6f63616c686f73743a33353834312f7a682f737562736372697074696f6e3f6f726465723d30316132303964662d643163382d373433642d626134342d373233646564393537363631227d7d', '{"timestamp": "1795461993", "user-agent": "node", "content-type": "application/json", "bagelpay-signature": "fddff5718175f2bb25fc2f91e2be663e6db66330d5f62e0adcb2afc52c4975ea"}', '2026-11-23 19:26:33.109+00', 'done', 1, '2026-11-23 19:28:03.119+00', '2026-11-23 19:26:33.287+00', '\x1252e1a1224abf81f04f3b5060a1642f7c2d1afb889401df44c8d58d47fe86ff', NULL, '01a209df-ce84-705d-91a9-36221f6b0cb0');


--
-- Data for Name: orders; Type: TABLE DATA; Schema: billing; Owner: -
--

INSERT INTO billing.orders VALUES
	('01a209df-cebf-7795-a60f-024692c2961f', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', 'creem', 'prod_basic_monthly', 'gemini_basic', 'monthly', 690, 'USD', 500, 'ch_zYT04zQzRI4QSYA', 'http://127.0.0.1:44261/checkout/ch_zYT04zQzRI4QSYA', NULL, 'paid', '2026-11-23 19:26:32.176+00', false, '2026-11-23 19:26:32.127+00'),
	('01a209df-d1c8-743d-ba44-723ded957661', '01a209df-ce84-705d-91a9-36221f6b0cb0', 'bagelpay', 'prod_pro_annual', 'gemini_pro', 'annual', 11880, 'USD', 18000, 'ch_191504009162580961', 'http://127.0.0.1:35939/checkout/ch_191504009162580961', '2026-11-24 19:26:33+00', 'paid', '2026-11-23 19:26:33+00', false, '2026-11-23 19:26:32.904+00');


--
-- Data for Name: account; Type: TABLE DATA; Schema: credit; Owner: -
--

INSERT INTO credit.account VALUES
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', '2026-11-23 19:26:31.990771+00', NULL, '2026-12-26 19:26:32.176+00', NULL, NULL, false),
	('01a209df-ce84-705d-91a9-36221f6b0cb0', '2026-11-23 19:26:32.069325+00', NULL, '2027-11-26 19:26:33+00', NULL, NULL, false);


--
-- Data for Name: bucket; Type: TABLE DATA; Schema: credit; Owner: -
--

INSERT INTO credit.bucket OVERRIDING SYSTEM VALUE VALUES
	(4, '01a209df-ce84-705d-91a9-36221f6b0cb0', 'subscription', 'bagelpay:01a209df-d1c8-743d-ba44-723ded957661:2026-11-23', 'bagelpay:ORD_198000585587576586', '01a209df-d1c8-743d-ba44-723ded957661', 18000, 18000, 0, 0, 0, 0, 0, NULL, '2026-11-23 19:26:33+00', '2027-11-23 19:26:33+00', NULL),
	(1, '01a209df-ce2a-71ed-a0d8-82a7eb2da962', 'free', 'free:0', NULL, NULL, 40, 0, 0, 40, 0, 0, 0, NULL, '2026-11-23 19:26:31.990771+00', '2026-12-23 19:26:31.990771+00', NULL),
	(3, '01a209df-ce2a-71ed-a0d8-82a7eb2da962', 'subscription', 'creem:01a209df-cebf-7795-a60f-024692c2961f:2026-11-23', 'creem:tran_KnjRyR305Fhkb0A', '01a209df-cebf-7795-a60f-024692c2961f', 500, 468, 8, 24, 0, 0, 0, NULL, '2026-11-23 19:26:32.176+00', '2026-12-23 19:26:32.176+00', NULL),
	(2, '01a209df-ce84-705d-91a9-36221f6b0cb0', 'free', 'free:0', NULL, NULL, 40, 16, 8, 16, 0, 0, 0, NULL, '2026-11-23 19:26:32.069325+00', '2026-12-23 19:26:32.069325+00', NULL);


--
-- Data for Name: hold; Type: TABLE DATA; Schema: credit; Owner: -
--

INSERT INTO credit.hold VALUES
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 'deee5045-1f7f-42ec-ba47-e0807dca87ce', 'gemini-2.5-flash-lite', 8, 'settled', 'completed', '2026-11-23 19:26:33.772613+00', '2026-11-23 19:26:33.836462+00', NULL),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', '01e8085b-dc4a-467d-b549-95b5eade4d34', 'gemini-2.5-flash-lite', 8, 'settled', 'completed', '2026-11-23 19:26:33.853006+00', '2026-11-23 19:26:33.892109+00', NULL),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 'd408f561-3cda-4bb7-9b42-4c5e88bd0b1f', 'gemini-2.5-flash-lite', 8, 'settled', 'completed', '2026-11-23 19:26:33.896377+00', '2026-11-23 19:26:33.942197+00', NULL),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', '1964ceb3-ddca-4a43-a8f7-f3f2e782d37b', 'gemini-2.5-flash-lite', 8, 'settled', 'completed', '2026-11-23 19:26:33.951759+00', '2026-11-23 19:26:33.996257+00', NULL),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', '87e9bee9-fb10-4cab-8f2c-92581c9b0b6c', 'gemini-2.5-flash-lite', 8, 'settled', 'completed', '2026-11-23 19:26:33.999793+00', '2026-11-23 19:26:34.030262+00', NULL),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', '891041c3-40a3-4fe0-969a-e9be8834fdf1', 'gemini-2.5-flash-lite', 8, 'settled', 'completed', '2026-11-23 19:26:34.037922+00', '2026-11-23 19:26:34.075778+00', NULL),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 'e77835b1-77a7-4a62-ae2c-b842bbdb9f00', 'gemini-2.5-flash-lite', 8, 'settled', 'completed', '2026-11-23 19:26:34.079071+00', '2026-11-23 19:26:34.122082+00', NULL),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', '6b8bdbc7-99d6-4d1c-b49f-7df3a923de64', 'gemini-2.5-flash-lite', 8, 'released', 'upstream_failed', '2026-11-23 19:26:34.127472+00', '2026-11-23 19:26:34.5429+00', NULL),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 'e6d15b15-214c-446c-ad19-035e19d4198a', 'gemini-2.5-flash-lite', 8, 'settled', 'completed', '2026-11-23 19:26:34.564509+00', '2026-11-23 19:26:34.616774+00', NULL),
	('01a209df-ce84-705d-91a9-36221f6b0cb0', 'd8b29670-0b20-43a5-90da-98c7fb627bb9', 'gemini-2.5-flash-lite', 8, 'settled', 'completed', '2026-11-23 19:26:34.640523+00', '2026-11-23 19:26:34.662319+00', NULL),
	('01a209df-ce84-705d-91a9-36221f6b0cb0', '01a209df-d8e0-73a0-b964-d93344650142', 'gemini-2.5-flash-lite', 8, 'settled', 'completed', '2026-11-23 19:26:34.748541+00', '2026-11-23 19:26:34.791766+00', 'laptop'),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', '8d8c53a6-6ff7-4e6c-875e-e1e394824e07', 'gemini-2.5-flash-lite', 8, 'held', NULL, '2026-11-23 19:26:37.470306+00', NULL, NULL),
	('01a209df-ce84-705d-91a9-36221f6b0cb0', 'e1e2b58f-2e41-47ce-ad18-8df53db16929', 'gemini-2.5-flash-lite', 8, 'held', NULL, '2026-11-23 19:26:37.478072+00', NULL, NULL);


--
-- Data for Name: transfer; Type: TABLE DATA; Schema: credit; Owner: -
--

INSERT INTO credit.transfer OVERRIDING SYSTEM VALUE VALUES
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 1, 1, NULL, 'issue', 'available', 40, 40, 40, 'free_month', '2026-11-23 19:26:31.990771+00'),
	('01a209df-ce84-705d-91a9-36221f6b0cb0', 2, 2, NULL, 'issue', 'available', 40, 40, 40, 'free_month', '2026-11-23 19:26:32.069325+00'),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 3, 3, NULL, 'issue', 'available', 500, 500, 540, 'subscription', '2026-11-23 19:26:32.413862+00'),
	('01a209df-ce84-705d-91a9-36221f6b0cb0', 4, 4, NULL, 'issue', 'available', 18000, 18000, 18040, 'subscription', '2026-11-23 19:26:33.270218+00'),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 5, 1, 'deee5045-1f7f-42ec-ba47-e0807dca87ce', 'available', 'held', 8, -8, 532, 'message', '2026-11-23 19:26:33.772613+00'),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 6, 1, 'deee5045-1f7f-42ec-ba47-e0807dca87ce', 'held', 'spent', 8, NULL, 532, 'completed', '2026-11-23 19:26:33.836462+00'),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 7, 1, '01e8085b-dc4a-467d-b549-95b5eade4d34', 'available', 'held', 8, -8, 524, 'message', '2026-11-23 19:26:33.853006+00'),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 8, 1, '01e8085b-dc4a-467d-b549-95b5eade4d34', 'held', 'spent', 8, NULL, 524, 'completed', '2026-11-23 19:26:33.892109+00'),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 9, 1, 'd408f561-3cda-4bb7-9b42-4c5e88bd0b1f', 'available', 'held', 8, -8, 516, 'message', '2026-11-23 19:26:33.896377+00'),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 10, 1, 'd408f561-3cda-4bb7-9b42-4c5e88bd0b1f', 'held', 'spent', 8, NULL, 516, 'completed', '2026-11-23 19:26:33.942197+00'),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 11, 1, '1964ceb3-ddca-4a43-a8f7-f3f2e782d37b', 'available', 'held', 8, -8, 508, 'message', '2026-11-23 19:26:33.951759+00'),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 12, 1, '1964ceb3-ddca-4a43-a8f7-f3f2e782d37b', 'held', 'spent', 8, NULL, 508, 'completed', '2026-11-23 19:26:33.996257+00'),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 13, 1, '87e9bee9-fb10-4cab-8f2c-92581c9b0b6c', 'available', 'held', 8, -8, 500, 'message', '2026-11-23 19:26:33.999793+00'),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 14, 1, '87e9bee9-fb10-4cab-8f2c-92581c9b0b6c', 'held', 'spent', 8, NULL, 500, 'completed', '2026-11-23 19:26:34.030262+00'),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 15, 3, '891041c3-40a3-4fe0-969a-e9be8834fdf1', 'available', 'held', 8, -8, 492, 'message', '2026-11-23 19:26:34.037922+00'),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 16, 3, '891041c3-40a3-4fe0-969a-e9be8834fdf1', 'held', 'spent', 8, NULL, 492, 'completed', '2026-11-23 19:26:34.075778+00'),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 17, 3, 'e77835b1-77a7-4a62-ae2c-b842bbdb9f00', 'available', 'held', 8, -8, 484, 'message', '2026-11-23 19:26:34.079071+00'),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 18, 3, 'e77835b1-77a7-4a62-ae2c-b842bbdb9f00', 'held', 'spent', 8, NULL, 484, 'completed', '2026-11-23 19:26:34.122082+00'),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 19, 3, '6b8bdbc7-99d6-4d1c-b49f-7df3a923de64', 'available', 'held', 8, -8, 476, 'message', '2026-11-23 19:26:34.127472+00'),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 20, 3, '6b8bdbc7-99d6-4d1c-b49f-7df3a923de64', 'held', 'available', 8, 8, 484, 'upstream_failed', '2026-11-23 19:26:34.5429+00'),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 21, 3, 'e6d15b15-214c-446c-ad19-035e19d4198a', 'available', 'held', 8, -8, 476, 'message', '2026-11-23 19:26:34.564509+00'),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 22, 3, 'e6d15b15-214c-446c-ad19-035e19d4198a', 'held', 'spent', 8, NULL, 476, 'completed', '2026-11-23 19:26:34.616774+00'),
	('01a209df-ce84-705d-91a9-36221f6b0cb0', 23, 2, 'd8b29670-0b20-43a5-90da-98c7fb627bb9', 'available', 'held', 8, -8, 18032, 'message', '2026-11-23 19:26:34.640523+00'),
	('01a209df-ce84-705d-91a9-36221f6b0cb0', 24, 2, 'd8b29670-0b20-43a5-90da-98c7fb627bb9', 'held', 'spent', 8, NULL, 18032, 'completed', '2026-11-23 19:26:34.662319+00'),
	('01a209df-ce84-705d-91a9-36221f6b0cb0', 25, 2, '01a209df-d8e0-73a0-b964-d93344650142', 'available', 'held', 8, -8, 18024, 'api', '2026-11-23 19:26:34.748541+00'),
	('01a209df-ce84-705d-91a9-36221f6b0cb0', 26, 2, '01a209df-d8e0-73a0-b964-d93344650142', 'held', 'spent', 8, NULL, 18024, 'completed', '2026-11-23 19:26:34.791766+00'),
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 27, 3, '8d8c53a6-6ff7-4e6c-875e-e1e394824e07', 'available', 'held', 8, -8, 468, 'message', '2026-11-23 19:26:37.470306+00'),
	('01a209df-ce84-705d-91a9-36221f6b0cb0', 28, 2, 'e1e2b58f-2e41-47ce-ad18-8df53db16929', 'available', 'held', 8, -8, 18016, 'message', '2026-11-23 19:26:37.478072+00');


--
-- Data for Name: address_grants; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.address_grants VALUES
	('\x04897133474db8308ea23dd2fa6a1676d99d602a901f96e242cfe2d04805ce47', '2026-12-23 19:26:31.990771+00'),
	('\x93fe4aaaa8bce3f99ce3efa7c42e3d198c8e567c8a10487048ef625e2aabd344', '2026-12-23 19:26:32.069325+00');


--
-- Data for Name: api_keys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.api_keys VALUES
	('01a209df-d8d3-772d-8d53-7428442c3d30', '01a209df-ce84-705d-91a9-36221f6b0cb0', 'laptop', 'sk-parley-mnKK9f', '\x1d2977d69c7dacfc4b705a37c5dd7996d7da4f9174c438da75aaea2d75c57f2f', NULL, NULL, NULL, NULL, '2026-11-23 19:26:34.705+00', '2026-11-23 19:26:34.718187+00', NULL);


--
-- Data for Name: api_requests; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.api_requests VALUES
	('01a209df-d8e0-73a0-b964-d93344650142', '01a209df-ce84-705d-91a9-36221f6b0cb0', '01a209df-d8d3-772d-8d53-7428442c3d30', NULL, '\x1f2edc30161af5842e43c5245591b8e19d8b94f6431061d690b8739696289e61', 8, true, '2026-11-23 19:26:34.747531+00');


--
-- Data for Name: conversations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.conversations VALUES
	('b65d41f9-8caf-4a59-a227-c84c66cd9609', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', 'What will the weather be?', '2026-11-23 19:26:34.127762+00', '2026-11-23 19:26:34.127762+00', 'what will the weather be?', NULL, NULL, NULL, false),
	('3738ceb9-32bd-4785-84dc-825610fa5a66', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', 'Please forget this question.', '2026-11-23 19:26:34.564837+00', '2026-11-23 19:26:34.564837+00', 'please forget this question.', NULL, NULL, '2026-11-23 19:26:34.62722+00', false),
	('20f60415-e997-4b86-add5-c58ea97c1a2f', '01a209df-ce84-705d-91a9-36221f6b0cb0', '写一首关于秋天的短诗', '2026-11-23 19:26:34.64084+00', '2026-11-23 19:26:34.64084+00', '写一首关于秋天的短诗', '2026-11-23 19:26:34.696523+00', NULL, NULL, false),
	('27443250-7a81-4801-bb60-5b8ba5bb4eb6', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', 'What is the capital of France?', '2026-11-23 19:26:33.788291+00', '2026-11-23 19:26:37.470629+00', 'what is the capital of france?', NULL, NULL, NULL, false),
	('b6e5fb13-2491-4882-bf4c-cfefc5997789', '01a209df-ce84-705d-91a9-36221f6b0cb0', 'Explain slowly how a ledger works.', '2026-11-23 19:26:37.478371+00', '2026-11-23 19:26:37.478371+00', 'explain slowly how a ledger works.', NULL, NULL, NULL, false);


--
-- Data for Name: departures; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: email_changes; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: enrolments; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: export_chunks; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: exports; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: identities; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.identities VALUES
	('01a209df-ce51-760c-b348-326a3d26edcb', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', 'credential', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', '$argon2id$v=19$m=19456,t=2,p=1$faz/Uy9wK1z0S+4ATh9+DQ$NpHJCHNpYLlc6063j41aYxLHvxRBhGfkz4DKLmjKUdo', '2026-11-23 19:26:31.975455+00', '2026-11-23 19:26:31.975455+00', NULL),
	('01a209df-ce8a-766d-a119-72cb4ac66def', '01a209df-ce84-705d-91a9-36221f6b0cb0', 'credential', '01a209df-ce84-705d-91a9-36221f6b0cb0', '$argon2id$v=19$m=19456,t=2,p=1$n1TPf1J0+GceVdHDjJ1UpQ$84765hP7NIqm7j7LlbcjBvg9FPLr6Cm59ITPOppJ800', '2026-11-23 19:26:32.06807+00', '2026-11-23 19:26:32.06807+00', NULL);


--
-- Data for Name: instances; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.instances VALUES
	('01a209df-cc94-7027-b669-4fded2abc05f', '2026-11-23 19:26:37.667329+00');


--
-- Data for Name: known_devices; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.known_devices VALUES
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 'other', '127.0.0.1', '2026-11-23 19:26:32.024+00'),
	('01a209df-ce84-705d-91a9-36221f6b0cb0', 'other', '127.0.0.1', '2026-11-23 19:26:32.093+00');


--
-- Data for Name: mails; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.mails VALUES
	('01a209df-ce54-76ea-960b-4420108d34ea', 'verify_email:01a209df-ce54-76ea-960b-40357ead84dd', 'verify_email', 'ada@example.test', 'zh', '{}', '2026-11-23 19:26:32.02+00', 1, '2026-11-23 19:28:32.668+00', '2026-11-23 19:26:32.903+00', 'sent', NULL),
	('01a209df-ce96-7443-9b09-92d1feade999', 'verify_email:01a209df-ce96-7443-9b09-8f2cdbd22543', 'verify_email', 'bo@example.test', 'zh', '{}', '2026-11-23 19:26:32.086+00', 1, '2026-11-23 19:28:32.923+00', '2026-11-23 19:26:32.983+00', 'sent', NULL),
	('01a209df-cff1-76ff-99e1-019268fe1a26', 'receipt:creem:tran_KnjRyR305Fhkb0A', 'receipt', 'ada@example.test', 'zh', '{}', '2026-11-23 19:26:32.433+00', 1, '2026-11-23 19:28:32.985+00', '2026-11-23 19:26:33.108+00', 'sent', NULL),
	('01a209df-d343-76bf-83bd-07920985870f', 'receipt:bagelpay:ORD_198000585587576586', 'receipt', 'bo@example.test', 'zh', '{}', '2026-11-23 19:26:33.283+00', 1, '2026-11-23 19:28:33.667+00', '2026-11-23 19:26:33.752+00', 'sent', NULL);


--
-- Data for Name: message_events; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.message_events VALUES
	('deee5045-1f7f-42ec-ba47-e0807dca87ce', 1, 2, '[["text", {"text": "You asked:\n\n> What is the capital of France?\n\nI’d come at it from three sides:\n\n- **Goal**: what should you end up with: an "}], ["text", {"text": "answer, a piece of writing, or a decision?\n- **Constraints**: what can’t move, such as time, budget, audience or format?\n- **Yardstick**: how will you know that it’s good? One sentence is enough.\n\n**Next step:** tell me whichever of these is least clear and we’ll start there. For example: “I need a decision, by tonight, for someone new to the subject.”\n\n> Answered by the local emulator; no real model was called."}]]', '2026-11-23 19:26:33.831715+00'),
	('01e8085b-dc4a-467d-b549-95b5eade4d34', 1, 2, '[["text", {"text": "Following on from “What is the c"}], ["text", {"text": "apital of France?”, let’s look at this one. You asked:\n\n> And of Italy?\n\nI’d come at it from three sides:\n\n- **Goal**: what should you end up with: an answer, a piece of writing, or a decision?\n- **Constraints**: what can’t move, such as time, budget, audience or format?\n- **Yardstick**: how will you know that it’s good? One sentence is enough.\n\n**Next step:** tell me whichever of these is least clear and we’ll start there. For example: “I need a decision, by tonight, for someone new to the subject.”\n\n> Answered by the local emulator; no real model was called."}]]', '2026-11-23 19:26:33.891369+00'),
	('d408f561-3cda-4bb7-9b42-4c5e88bd0b1f', 1, 2, '[["text", {"text": "Following on from “What is the capital "}], ["text", {"text": "of France?”, let’s look at this one. You asked:\n\n> And of Japan?\n\nI’d come at it from three sides:\n\n- **Goal**: what should you end up with: an answer, a piece of writing, or a decision?\n- **Constraints**: what can’t move, such as time, budget, audience or format?\n- **Yardstick**: how will you know that it’s good? One sentence is enough.\n\n**Next step:** tell me whichever of these is least clear and we’ll start there. For example: “I need a decision, by tonight, for someone new to the subject.”\n\n> Answered by the local emulator; no real model was called."}]]', '2026-11-23 19:26:33.941566+00'),
	('1964ceb3-ddca-4a43-a8f7-f3f2e782d37b', 1, 2, '[["text", {"text": "Following on from “And of Italy?"}], ["text", {"text": "”, let’s look at this one. You asked:\n\n> How far is it from there to Paris?\n\nI’d come at it from three sides:\n\n- **Goal**: what should you end up with: an answer, a piece of writing, or a decision?\n- **Constraints**: what can’t move, such as time, budget, audience or format?\n- **Yardstick**: how will you know that it’s good? One sentence is enough.\n\n**Next step:** tell me whichever of these is least clear and we’ll start there. For example: “I need a decision, by tonight, for someone new to the subject.”\n\n> Answered by the local emulator; no real model was called."}]]', '2026-11-23 19:26:33.99563+00'),
	('87e9bee9-fb10-4cab-8f2c-92581c9b0b6c', 1, 2, '[["text", {"text": "接着前面的“And of Japan?”，我们来看"}], ["text", {"text": "这一个。你问的是：\n\n> 从东京到巴黎有多远？\n\n我会从三个方面来想：\n\n- **目标**：先弄清你最终想得到什么，是一个结论、一份文字，还是一个决定。\n- **条件**：有哪些限制不能动，比如时间、预算、受众或格式。\n- **判断标准**：怎样才算“好”，最好能用一句话说出来。\n\n**下一步：**把其中最不确定的一项告诉我，我们就从那里开始。例如：“我想要一个结论，今天之内，给完全不懂的人看。”\n\n> 本机模拟回答，未调用真实模型。"}]]', '2026-11-23 19:26:34.029584+00'),
	('891041c3-40a3-4fe0-969a-e9be8834fdf1', 1, 2, '[["text", {"text": "接着前面的“And of Japan?”，我们来看"}], ["text", {"text": "这一个。你问的是：\n\n> 从东京到京都呢？\n\n我会从三个方面来想：\n\n- **目标**：先弄清你最终想得到什么，是一个结论、一份文字，还是一个决定。\n- **条件**：有哪些限制不能动，比如时间、预算、受众或格式。\n- **判断标准**：怎样才算“好”，最好能用一句话说出来。\n\n**下一步：**把其中最不确定的一项告诉我，我们就从那里开始。例如：“我想要一个结论，今天之内，给完全不懂的人看。”\n\n> 本机模拟回答，未调用真实模型。"}]]', '2026-11-23 19:26:34.074933+00'),
	('e77835b1-77a7-4a62-ae2c-b842bbdb9f00', 1, 2, '[["text", {"text": "You asked:\n\n> A second beginning: what is 17 times 23?\n\nI’d come at it from thre"}], ["text", {"text": "e sides:\n\n- **Goal**: what should you end up with: an answer, a piece of writing, or a decision?\n- **Constraints**: what can’t move, such as time, budget, audience or format?\n- **Yardstick**: how will you know that it’s good? One sentence is enough.\n\n**Next step:** tell me whichever of these is least clear and we’ll start there. For example: “I need a decision, by tonight, for someone new to the subject.”\n\n> Answered by the local emulator; no real model was called."}]]', '2026-11-23 19:26:34.121633+00'),
	('e6d15b15-214c-446c-ad19-035e19d4198a', 1, 2, '[["text", {"text": "You asked:\n\n> Please forget this question.\n\nI"}], ["text", {"text": "’d come at it from three sides:\n\n- **Goal**: what should you end up with: an answer, a piece of writing, or a decision?\n- **Constraints**: what can’t move, such as time, budget, audience or format?\n- **Yardstick**: how will you know that it’s good? One sentence is enough.\n\n**Next step:** tell me whichever of these is least clear and we’ll start there. For example: “I need a decision, by tonight, for someone new to the subject.”\n\n> Answered by the local emulator; no real model was called."}]]', '2026-11-23 19:26:34.61616+00'),
	('d8b29670-0b20-43a5-90da-98c7fb627bb9', 1, 2, '[["text", {"text": "**《秋日》**\n\n一阵风过，\n满街的银杏"}], ["text", {"text": "忽然有了声音。\n我把外套拢紧一点，\n又舍不得走得太快。\n\n黄昏把影子拉得很长，\n像一封还没有写完的信。\n\n想要更短、更押韵，或者换一个主题，都可以告诉我。\n\n> 本机模拟回答，未调用真实模型。"}]]', '2026-11-23 19:26:34.661861+00'),
	('01a209df-d8e0-73a0-b964-d93344650142', 1, 2, '[["text", {"text": "You asked:\n\n> Say hello.\n\nI’d come at it from three sides:\n\n- **Goal**: w"}], ["text", {"text": "hat should you end up with: an answer, a piece of writing, or a decision?\n- **Constraints**: what can’t move, such as time, budget, audience or format?\n- **Yardstick**: how will you know that it’s good? One sentence is enough.\n\n**Next step:** tell me whichever of these is least clear and we’ll start there. For example: “I need a decision, by tonight, for someone new to the subject.”\n\n> Answered by the local emulator; no real model was called."}]]', '2026-11-23 19:26:34.791344+00'),
	('8d8c53a6-6ff7-4e6c-875e-e1e394824e07', 1, 1, '[["text", {"text": "你好，"}]]', '2026-11-23 19:26:37.668979+00'),
	('e1e2b58f-2e41-47ce-ad18-8df53db16929', 1, 1, '[["text", {"text": "你好，"}]]', '2026-11-23 19:26:37.668979+00'),
	('8d8c53a6-6ff7-4e6c-875e-e1e394824e07', 2, 3, '[["text", {"text": "hello "}], ["text", {"text": "世界"}]]', '2026-11-23 19:26:37.832449+00'),
	('e1e2b58f-2e41-47ce-ad18-8df53db16929', 2, 3, '[["text", {"text": "hello "}], ["text", {"text": "世界"}]]', '2026-11-23 19:26:37.832449+00'),
	('8d8c53a6-6ff7-4e6c-875e-e1e394824e07', 4, 4, '[["text", {"text": " and "}]]', '2026-11-23 19:26:38.097653+00'),
	('e1e2b58f-2e41-47ce-ad18-8df53db16929', 4, 4, '[["text", {"text": " and "}]]', '2026-11-23 19:26:38.097653+00'),
	('8d8c53a6-6ff7-4e6c-875e-e1e394824e07', 5, 6, '[["text", {"text": "**流式**"}], ["text", {"text": " stream"}]]', '2026-11-23 19:26:38.248784+00'),
	('e1e2b58f-2e41-47ce-ad18-8df53db16929', 5, 5, '[["text", {"text": "**流式**"}]]', '2026-11-23 19:26:38.248784+00'),
	('e1e2b58f-2e41-47ce-ad18-8df53db16929', 6, 7, '[["text", {"text": " stream"}], ["text", {"text": "。"}]]', '2026-11-23 19:26:38.405981+00'),
	('8d8c53a6-6ff7-4e6c-875e-e1e394824e07', 7, 7, '[["text", {"text": "。"}]]', '2026-11-23 19:26:38.405981+00'),
	('e1e2b58f-2e41-47ce-ad18-8df53db16929', 9, 10, '[["text", {"text": "你好，"}], ["text", {"text": "hello "}]]', '2026-11-23 19:26:38.857075+00'),
	('8d8c53a6-6ff7-4e6c-875e-e1e394824e07', 10, 10, '[["text", {"text": "hello "}]]', '2026-11-23 19:26:38.857075+00'),
	('8d8c53a6-6ff7-4e6c-875e-e1e394824e07', 8, 9, '[["text", {"text": "\n"}], ["text", {"text": "你好，"}]]', '2026-11-23 19:26:38.698932+00'),
	('e1e2b58f-2e41-47ce-ad18-8df53db16929', 8, 8, '[["text", {"text": "\n"}]]', '2026-11-23 19:26:38.698932+00'),
	('8d8c53a6-6ff7-4e6c-875e-e1e394824e07', 11, 12, '[["text", {"text": "世界"}], ["text", {"text": " and "}]]', '2026-11-23 19:26:39.157257+00'),
	('e1e2b58f-2e41-47ce-ad18-8df53db16929', 11, 11, '[["text", {"text": "世界"}]]', '2026-11-23 19:26:39.157257+00'),
	('e1e2b58f-2e41-47ce-ad18-8df53db16929', 12, 13, '[["text", {"text": " and "}], ["text", {"text": "**流式**"}]]', '2026-11-23 19:26:39.309506+00'),
	('8d8c53a6-6ff7-4e6c-875e-e1e394824e07', 13, 13, '[["text", {"text": "**流式**"}]]', '2026-11-23 19:26:39.309506+00'),
	('8d8c53a6-6ff7-4e6c-875e-e1e394824e07', 14, 14, '[["text", {"text": " stream"}]]', '2026-11-23 19:26:39.611539+00'),
	('e1e2b58f-2e41-47ce-ad18-8df53db16929', 14, 14, '[["text", {"text": " stream"}]]', '2026-11-23 19:26:39.611539+00'),
	('8d8c53a6-6ff7-4e6c-875e-e1e394824e07', 15, 16, '[["text", {"text": "。"}], ["text", {"text": "\n"}]]', '2026-11-23 19:26:39.771478+00'),
	('e1e2b58f-2e41-47ce-ad18-8df53db16929', 15, 16, '[["text", {"text": "。"}], ["text", {"text": "\n"}]]', '2026-11-23 19:26:39.771478+00'),
	('8d8c53a6-6ff7-4e6c-875e-e1e394824e07', 19, 20, '[["text", {"text": "世界"}], ["text", {"text": " and "}]]', '2026-11-23 19:26:40.350606+00'),
	('e1e2b58f-2e41-47ce-ad18-8df53db16929', 19, 19, '[["text", {"text": "世界"}]]', '2026-11-23 19:26:40.350606+00'),
	('8d8c53a6-6ff7-4e6c-875e-e1e394824e07', 17, 17, '[["text", {"text": "你好，"}]]', '2026-11-23 19:26:40.04576+00'),
	('e1e2b58f-2e41-47ce-ad18-8df53db16929', 17, 17, '[["text", {"text": "你好，"}]]', '2026-11-23 19:26:40.04576+00'),
	('8d8c53a6-6ff7-4e6c-875e-e1e394824e07', 18, 18, '[["text", {"text": "hello "}]]', '2026-11-23 19:26:40.197204+00'),
	('e1e2b58f-2e41-47ce-ad18-8df53db16929', 18, 18, '[["text", {"text": "hello "}]]', '2026-11-23 19:26:40.197204+00');


--
-- Data for Name: messages; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.messages VALUES
	('deee5045-1f7f-42ec-ba47-e0807dca87ce', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', '27443250-7a81-4801-bb60-5b8ba5bb4eb6', NULL, 'gemini-2.5-flash-lite', 'What is the capital of France?', 'You asked:

> What is the capital of France?

I’d come at it from three sides:

- **Goal**: what should you end up with: an answer, a piece of writing, or a decision?
- **Constraints**: what can’t move, such as time, budget, audience or format?
- **Yardstick**: how will you know that it’s good? One sentence is enough.

**Next step:** tell me whichever of these is least clear and we’ll start there. For example: “I need a decision, by tonight, for someone new to the subject.”

> Answered by the local emulator; no real model was called.', 'completed', 8, 8, NULL, 'gemini-2.5-flash-lite', 'gemini-2.5-flash-lite', '{"inputTokens": 8, "outputTokens": 200, "reasoningTokens": 0, "cachedInputTokens": 0}', false, '01a209df-cc94-7027-b669-4fded2abc05f', NULL, 3, '2026-11-23 19:26:33.788291+00', '2026-11-23 19:26:33.835624+00', 11, false, NULL),
	('01e8085b-dc4a-467d-b549-95b5eade4d34', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', '27443250-7a81-4801-bb60-5b8ba5bb4eb6', 'deee5045-1f7f-42ec-ba47-e0807dca87ce', 'gemini-2.5-flash-lite', 'And of Italy?', 'Following on from “What is the capital of France?”, let’s look at this one. You asked:

> And of Italy?

I’d come at it from three sides:

- **Goal**: what should you end up with: an answer, a piece of writing, or a decision?
- **Constraints**: what can’t move, such as time, budget, audience or format?
- **Yardstick**: how will you know that it’s good? One sentence is enough.

**Next step:** tell me whichever of these is least clear and we’ll start there. For example: “I need a decision, by tonight, for someone new to the subject.”

> Answered by the local emulator; no real model was called.', 'completed', 8, 8, NULL, 'gemini-2.5-flash-lite', 'gemini-2.5-flash-lite', '{"inputTokens": 174, "outputTokens": 222, "reasoningTokens": 0, "cachedInputTokens": 0}', false, '01a209df-cc94-7027-b669-4fded2abc05f', NULL, 3, '2026-11-23 19:26:33.853623+00', '2026-11-23 19:26:33.891776+00', 16, false, NULL),
	('d408f561-3cda-4bb7-9b42-4c5e88bd0b1f', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', '27443250-7a81-4801-bb60-5b8ba5bb4eb6', 'deee5045-1f7f-42ec-ba47-e0807dca87ce', 'gemini-2.5-flash-lite', 'And of Japan?', 'Following on from “What is the capital of France?”, let’s look at this one. You asked:

> And of Japan?

I’d come at it from three sides:

- **Goal**: what should you end up with: an answer, a piece of writing, or a decision?
- **Constraints**: what can’t move, such as time, budget, audience or format?
- **Yardstick**: how will you know that it’s good? One sentence is enough.

**Next step:** tell me whichever of these is least clear and we’ll start there. For example: “I need a decision, by tonight, for someone new to the subject.”

> Answered by the local emulator; no real model was called.', 'completed', 8, 8, NULL, 'gemini-2.5-flash-lite', 'gemini-2.5-flash-lite', '{"inputTokens": 174, "outputTokens": 222, "reasoningTokens": 0, "cachedInputTokens": 0}', false, '01a209df-cc94-7027-b669-4fded2abc05f', NULL, 3, '2026-11-23 19:26:33.896953+00', '2026-11-23 19:26:33.941932+00', 20, false, NULL),
	('1964ceb3-ddca-4a43-a8f7-f3f2e782d37b', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', '27443250-7a81-4801-bb60-5b8ba5bb4eb6', '01e8085b-dc4a-467d-b549-95b5eade4d34', 'gemini-2.5-flash-lite', 'How far is it from there to Paris?', 'Following on from “And of Italy?”, let’s look at this one. You asked:

> How far is it from there to Paris?

I’d come at it from three sides:

- **Goal**: what should you end up with: an answer, a piece of writing, or a decision?
- **Constraints**: what can’t move, such as time, budget, audience or format?
- **Yardstick**: how will you know that it’s good? One sentence is enough.

**Next step:** tell me whichever of these is least clear and we’ll start there. For example: “I need a decision, by tonight, for someone new to the subject.”

> Answered by the local emulator; no real model was called.', 'completed', 8, 8, NULL, 'gemini-2.5-flash-lite', 'gemini-2.5-flash-lite', '{"inputTokens": 364, "outputTokens": 216, "reasoningTokens": 0, "cachedInputTokens": 0}', false, '01a209df-cc94-7027-b669-4fded2abc05f', NULL, 3, '2026-11-23 19:26:33.952187+00', '2026-11-23 19:26:33.996+00', 17, false, NULL),
	('87e9bee9-fb10-4cab-8f2c-92581c9b0b6c', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', '27443250-7a81-4801-bb60-5b8ba5bb4eb6', 'd408f561-3cda-4bb7-9b42-4c5e88bd0b1f', 'gemini-2.5-flash-lite', '从东京到巴黎有多远？', '接着前面的“And of Japan?”，我们来看这一个。你问的是：

> 从东京到巴黎有多远？

我会从三个方面来想：

- **目标**：先弄清你最终想得到什么，是一个结论、一份文字，还是一个决定。
- **条件**：有哪些限制不能动，比如时间、预算、受众或格式。
- **判断标准**：怎样才算“好”，最好能用一句话说出来。

**下一步：**把其中最不确定的一项告诉我，我们就从那里开始。例如：“我想要一个结论，今天之内，给完全不懂的人看。”

> 本机模拟回答，未调用真实模型。', 'completed', 8, 8, NULL, 'gemini-2.5-flash-lite', 'gemini-2.5-flash-lite', '{"inputTokens": 363, "outputTokens": 214, "reasoningTokens": 0, "cachedInputTokens": 0}', false, '01a209df-cc94-7027-b669-4fded2abc05f', NULL, 3, '2026-11-23 19:26:34.000175+00', '2026-11-23 19:26:34.029952+00', 10, false, NULL),
	('891041c3-40a3-4fe0-969a-e9be8834fdf1', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', '27443250-7a81-4801-bb60-5b8ba5bb4eb6', 'd408f561-3cda-4bb7-9b42-4c5e88bd0b1f', 'gemini-2.5-flash-lite', '从东京到京都呢？', '接着前面的“And of Japan?”，我们来看这一个。你问的是：

> 从东京到京都呢？

我会从三个方面来想：

- **目标**：先弄清你最终想得到什么，是一个结论、一份文字，还是一个决定。
- **条件**：有哪些限制不能动，比如时间、预算、受众或格式。
- **判断标准**：怎样才算“好”，最好能用一句话说出来。

**下一步：**把其中最不确定的一项告诉我，我们就从那里开始。例如：“我想要一个结论，今天之内，给完全不懂的人看。”

> 本机模拟回答，未调用真实模型。', 'completed', 8, 8, NULL, 'gemini-2.5-flash-lite', 'gemini-2.5-flash-lite', '{"inputTokens": 361, "outputTokens": 212, "reasoningTokens": 0, "cachedInputTokens": 0}', false, '01a209df-cc94-7027-b669-4fded2abc05f', NULL, 3, '2026-11-23 19:26:34.038338+00', '2026-11-23 19:26:34.075458+00', 21, false, NULL),
	('e77835b1-77a7-4a62-ae2c-b842bbdb9f00', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', '27443250-7a81-4801-bb60-5b8ba5bb4eb6', NULL, 'gemini-2.5-flash-lite', 'A second beginning: what is 17 times 23?', 'You asked:

> A second beginning: what is 17 times 23?

I’d come at it from three sides:

- **Goal**: what should you end up with: an answer, a piece of writing, or a decision?
- **Constraints**: what can’t move, such as time, budget, audience or format?
- **Yardstick**: how will you know that it’s good? One sentence is enough.

**Next step:** tell me whichever of these is least clear and we’ll start there. For example: “I need a decision, by tonight, for someone new to the subject.”

> Answered by the local emulator; no real model was called.', 'completed', 8, 8, NULL, 'gemini-2.5-flash-lite', 'gemini-2.5-flash-lite', '{"inputTokens": 13, "outputTokens": 198, "reasoningTokens": 0, "cachedInputTokens": 0}', false, '01a209df-cc94-7027-b669-4fded2abc05f', NULL, 3, '2026-11-23 19:26:34.079405+00', '2026-11-23 19:26:34.12185+00', 9, false, NULL),
	('6b8bdbc7-99d6-4d1c-b49f-7df3a923de64', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', 'b65d41f9-8caf-4a59-a227-c84c66cd9609', NULL, 'gemini-2.5-flash-lite', 'What will the weather be?', '', 'failed', 8, 0, 'upstream_failed', NULL, 'gemini-2.5-flash-lite', NULL, false, '01a209df-cc94-7027-b669-4fded2abc05f', NULL, 1, '2026-11-23 19:26:34.127762+00', '2026-11-23 19:26:34.54272+00', NULL, false, NULL),
	('e6d15b15-214c-446c-ad19-035e19d4198a', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', '3738ceb9-32bd-4785-84dc-825610fa5a66', NULL, 'gemini-2.5-flash-lite', 'Please forget this question.', 'You asked:

> Please forget this question.

I’d come at it from three sides:

- **Goal**: what should you end up with: an answer, a piece of writing, or a decision?
- **Constraints**: what can’t move, such as time, budget, audience or format?
- **Yardstick**: how will you know that it’s good? One sentence is enough.

**Next step:** tell me whichever of these is least clear and we’ll start there. For example: “I need a decision, by tonight, for someone new to the subject.”

> Answered by the local emulator; no real model was called.', 'completed', 8, 8, NULL, 'gemini-2.5-flash-lite', 'gemini-2.5-flash-lite', '{"inputTokens": 6, "outputTokens": 195, "reasoningTokens": 0, "cachedInputTokens": 0}', false, '01a209df-cc94-7027-b669-4fded2abc05f', NULL, 3, '2026-11-23 19:26:34.564837+00', '2026-11-23 19:26:34.616345+00', 18, false, NULL),
	('d8b29670-0b20-43a5-90da-98c7fb627bb9', '01a209df-ce84-705d-91a9-36221f6b0cb0', '20f60415-e997-4b86-add5-c58ea97c1a2f', NULL, 'gemini-2.5-flash-lite', '写一首关于秋天的短诗', '**《秋日》**

一阵风过，
满街的银杏忽然有了声音。
我把外套拢紧一点，
又舍不得走得太快。

黄昏把影子拉得很长，
像一封还没有写完的信。

想要更短、更押韵，或者换一个主题，都可以告诉我。

> 本机模拟回答，未调用真实模型。', 'completed', 8, 8, NULL, 'gemini-2.5-flash-lite', 'gemini-2.5-flash-lite', '{"inputTokens": 8, "outputTokens": 101, "reasoningTokens": 0, "cachedInputTokens": 0}', false, '01a209df-cc94-7027-b669-4fded2abc05f', NULL, 3, '2026-11-23 19:26:34.64084+00', '2026-11-23 19:26:34.662072+00', 17, false, NULL),
	('01a209df-d8e0-73a0-b964-d93344650142', '01a209df-ce84-705d-91a9-36221f6b0cb0', NULL, NULL, 'gemini-2.5-flash-lite', '', 'You asked:

> Say hello.

I’d come at it from three sides:

- **Goal**: what should you end up with: an answer, a piece of writing, or a decision?
- **Constraints**: what can’t move, such as time, budget, audience or format?
- **Yardstick**: how will you know that it’s good? One sentence is enough.

**Next step:** tell me whichever of these is least clear and we’ll start there. For example: “I need a decision, by tonight, for someone new to the subject.”

> Answered by the local emulator; no real model was called.', 'completed', 8, 8, NULL, 'gemini-2.5-flash-lite', 'gemini-2.5-flash-lite', '{"inputTokens": 3, "outputTokens": 190, "reasoningTokens": 0, "cachedInputTokens": 0}', false, '01a209df-cc94-7027-b669-4fded2abc05f', NULL, 3, '2026-11-23 19:26:34.747531+00', '2026-11-23 19:26:34.791531+00', 9, false, NULL),
	('8d8c53a6-6ff7-4e6c-875e-e1e394824e07', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', '27443250-7a81-4801-bb60-5b8ba5bb4eb6', '01e8085b-dc4a-467d-b549-95b5eade4d34', 'gemini-2.5-flash-lite', 'Tell me a long story about the Alps.', '', 'running', 8, 0, NULL, NULL, NULL, NULL, false, '01a209df-cc94-7027-b669-4fded2abc05f', NULL, NULL, '2026-11-23 19:26:37.470629+00', NULL, NULL, false, NULL),
	('e1e2b58f-2e41-47ce-ad18-8df53db16929', '01a209df-ce84-705d-91a9-36221f6b0cb0', 'b6e5fb13-2491-4882-bf4c-cfefc5997789', NULL, 'gemini-2.5-flash-lite', 'Explain slowly how a ledger works.', '', 'running', 8, 0, NULL, NULL, NULL, NULL, false, '01a209df-cc94-7027-b669-4fded2abc05f', NULL, NULL, '2026-11-23 19:26:37.478371+00', NULL, NULL, false, NULL);


--
-- Data for Name: passkey_challenges; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: passkeys; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: pictures; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: rate_limits; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rate_limits VALUES
	('sign-up:127.0.0.1', 2, '2026-11-23 19:26:31.824154+00'),
	('billing:01a209df-ce2a-71ed-a0d8-82a7eb2da962', 1, '2026-11-23 19:26:32.12249+00'),
	('checkout-turn:01a209df-cebf-7795-a60f-024692c2961f', 1, '2026-11-23 19:26:32.161272+00'),
	('confirm:01a209df-cebf-7795-a60f-024692c2961f', 1, '2026-11-23 19:26:32.186512+00'),
	('billing:01a209df-ce84-705d-91a9-36221f6b0cb0', 1, '2026-11-23 19:26:32.820399+00'),
	('checkout-turn:01a209df-d1c8-743d-ba44-723ded957661', 1, '2026-11-23 19:26:33.000113+00'),
	('confirm:01a209df-d1c8-743d-ba44-723ded957661', 1, '2026-11-23 19:26:33.162143+00'),
	('keys:01a209df-ce84-705d-91a9-36221f6b0cb0', 1, '2026-11-23 19:26:34.705876+00'),
	('api:01a209df-ce84-705d-91a9-36221f6b0cb0', 1, '2026-11-23 19:26:34.718129+00');


--
-- Data for Name: recovery_codes; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: schema_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.schema_migrations VALUES
	('0000_accounts.sql', '83c07cacdb356597c5d3cbc0399b6e2a4531303834f3cfdf9d73910353a73cd4', '2026-11-23 19:26:31.278225+00'),
	('0001_credits.sql', '0a260b6d9e25d444f9e4eff755a88b65e62a24bbb1925509ddabbbf08b9dd561', '2026-11-23 19:26:31.278225+00'),
	('0002_billing.sql', '3ee4699e2933ab129a8753753dee3df99e19f632a9f74d81f028962c0e4e8f2f', '2026-11-23 19:26:31.278225+00'),
	('0003_chat.sql', 'b3cd2b10cd042cc29c768be25ddf1a84a2a0817f407337c8acff66dcbe45ea49', '2026-11-23 19:26:31.278225+00'),
	('0004_payments.sql', '375a758fb53cad279c131827efadf8c2c40c7142595f9ed24017ae42d842ddd5', '2026-11-23 19:26:31.278225+00'),
	('0005_conversations.sql', 'c58f7a33b805d0dc7bd809f25c5cb2af4c753e928db0afc5da991aee5cda6f3e', '2026-11-23 19:26:31.278225+00'),
	('0006_api.sql', 'ad6a43bb3a2205bb4ca8db7253b4391db0a6a86c9f23fc68d6f392f69c39a710', '2026-11-23 19:26:31.278225+00'),
	('0007_mail.sql', '613351ba34dd3acba6acae56f87be4113b7ba051942da272bd843cab150e2b23', '2026-11-23 19:26:31.278225+00'),
	('0008_sessions.sql', '45639947daec99b2648b9bf6f23b5cec884ee0c098fc88e04132d6cb365c97a9', '2026-11-23 19:26:31.278225+00'),
	('0009_confirmation.sql', '4562ca768ba61a0a6addeddce13df31d78520cdb2a9bcb6f9af173e66576bb68', '2026-11-23 19:26:31.278225+00'),
	('0010_google.sql', '95934d43f651d59100a422606baefef6a7fd171142da3bc67bf48cc5e403e0ae', '2026-11-23 19:26:31.278225+00'),
	('0011_factors.sql', '3320df573d75d3c277ddd1dfbb17f64d69178a6d883c843402f5ef59f0ad19e5', '2026-11-23 19:26:31.278225+00'),
	('0012_leaving.sql', '2e3741dd4155fd6f85e3e0afd62ae76c44c0ee15bb73adf0ce6b37cc0a1206b3', '2026-11-23 19:26:31.278225+00'),
	('0013_email.sql', '0a2cbbaa12c00dda14ab195c1a13996f1cd7dc38bc0016b41a2ab74ea5eab1a0', '2026-11-23 19:26:31.278225+00'),
	('0014_withheld.sql', '4c5ee7545c8de910a2ea69dae9a36f86a841e884063c71139e1edb64fc1a60c4', '2026-11-23 19:26:31.278225+00'),
	('0015_search_grams.sql', '3bac2705da67af2558858c7fbfd89e01dadef5a34bc488a8589a7140f4bf9e9d', '2026-11-23 19:26:31.278225+00'),
	('0016_search_slots.sql', '642a546a195e6fb9f09aae4a91637f1299f8aeec410d50651a673571e3aa042f', '2026-11-23 19:26:31.278225+00'),
	('0017_short_checks.sql', '38fc651c8864fb9e365939a1c90402eb0dfd008613c53d785ffd869d34b49502', '2026-11-23 19:26:31.278225+00'),
	('0018_check_functions.sql', '4a087c2e365858ceb9c7e28d86d805d70979a8fbded03aab3c6148a6dff4f309', '2026-11-23 19:26:31.278225+00');


--
-- Data for Name: search_queue; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: search_texts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.search_texts VALUES
	('01e8085b-dc4a-467d-b549-95b5eade4d34', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', '27443250-7a81-4801-bb60-5b8ba5bb4eb6', '2026-11-23 19:26:33.853623+00', 'and of italy? following on from “what is the capital of france?”, let’s look at this one. you asked: > and of italy? i’d come at it from three sides: - **goal**: what should you end up with: an answer, a piece of writing, or a decision? - **constraints**: what can’t move, such as time, budget, audience or format? - **yardstick**: how will you know that it’s good? one sentence is enough. **next step:** tell me whichever of these is least clear and we’ll start there. for example: “i need a decision, by tonight, for someone new to the subject.” > answered by the local emulator; no real model was called.', '{19409,15008,2041,21056,25414,6610,15646,31204,27841,12053,10708,11709,13361,9136,15287,4021,13750,10646,23324,24581,15916,12012,17804,15919,31064,19773,18171,28319,23589,31370,5505,20907,13162,30204,16259,30865,22088,31031,24851,28583,13797,6518,25626,25585,1655,22204,22981,12922,10499,19412,28442,14094,2110,18514,31741,31083,3778,30089,28031,26372,14374,8198,32062,2303,11847,17146,23227,5466,17087,11744,14760,19073,13177,11463,10605,15134,4561,13667,17097,2358,4870,29430,25864,17422,5641,14857,12555,15180,1308,28937,22316,24469,307,7684,25677,4645,28645,10313,18895,31062,28787,5731,24587,472,24891,5281,9881,18886,19066,22707,27386,12840,6098,14453,12577,12007,13151,14026,3276,13400,32124,30501,4098,7874,21922,19488,32650,9125,22092,17908,18481,10768,30436,27861,1199,11092,19493,3007,17320,4579,15203,341,30608,19696,6045,11501,30924,3702,4149,26700,14213,5728,15350,3145,4371,23124,1553,2121,22275,9760,26748,10658,2507,2418,10466,16094,27120,13611,13834,15622,32579,21571,22512,2775,20447,1786,23696,28836,32120,20753,19281,4431,32703,29200,5041,6335,1825,4111,20889,15517,22778,8064,6414,32385,29660,9193,6954,3970,3945,22556,23257,26627,4863,21086,17770,8899,17361,26940,20606,16220,30123,18072,23162,16208,6038,15553,6142,29296,19051,15385,7914,1836,23623,13695,32243,22097,15693,618,12942,30778,21956,19122,30922,1519,31553,2124,674,29375,1000,26329,17308,2257,16309,29846,26849,7089,11608,23043,5391,6190,28498,3784,20438,25222,31033,16038,15457,27353,30269,12695,16381,31904,3973,28345,29534,31675,10791,27014,9840,5157,3986,5920,28671,6400,28462,12474,30520,24295,24507,7471,31196,9432,32097,13428,21883,2436,19249,11086,25088,9724,28774,18779,21015,25273,24477,29815,13254,29930,19019,21296,24708,5547,6695,32439,4824,3771,3434,10953,15398,29489,13324,30118,8629,7135,836,18807,933,3117,16713,2299,30517,2741,27086,2157,1628,5672,2338,6899,3596,18708,25554,3003,10667,3552,21654,12138,5360,17572,12102,14415,24216,26210,1656,14728,3922,16870,7561,27474,18825,20714,23009,16631,5594,13131,22265,12085,11710,7044,12864,22391,24006,22416,4448,14562,6323,13959,28016,13266,13198,12902,25001,1385,22011,29849,24739,6687,8316,32696,22079,9469,16956,31239,21143,24541,21579,4555,2964,25525,6506,16859,1051,22543,24011,27107,25256,24484,15624,8161,9970,32512,20197,16580,28090,19888,9908,12553,7258,24043,19348,3457,32012,6294,11071,16243,16718,24143,18428,14515,28106,2646,19040,1467,12777,28373,32690,17601,5824,2297,31417,21995,4847,31700,5531,12032}'),
	('1964ceb3-ddca-4a43-a8f7-f3f2e782d37b', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', '27443250-7a81-4801-bb60-5b8ba5bb4eb6', '2026-11-23 19:26:33.952187+00', 'how far is it from there to paris? following on from “and of italy?”, let’s look at this one. you asked: > how far is it from there to paris? i’d come at it from three sides: - **goal**: what should you end up with: an answer, a piece of writing, or a decision? - **constraints**: what can’t move, such as time, budget, audience or format? - **yardstick**: how will you know that it’s good? one sentence is enough. **next step:** tell me whichever of these is least clear and we’ll start there. for example: “i need a decision, by tonight, for someone new to the subject.” > answered by the local emulator; no real model was called.', '{28442,15646,4371,5505,20907,11086,31204,19409,11016,6518,28671,5494,12053,3778,30089,10708,11709,25626,25585,1655,22204,22981,12922,28031,26372,14374,8198,20447,11710,19488,7044,6687,11847,24872,17408,5041,9665,21279,15916,5903,4274,15919,15287,31064,19773,18171,28319,23589,31370,13162,30204,16259,15008,30865,22088,31031,24851,28583,13797,10499,23936,2041,21056,25414,6610,27841,13361,9136,4021,13750,10646,23324,24581,12012,17804,2358,4870,29430,25864,17422,5641,14857,12555,15180,1308,28937,22316,24469,307,7684,31741,25677,4645,28645,10313,18895,31062,28787,5731,24587,472,24891,5281,9881,18886,19066,22707,27386,12840,6098,14453,12577,12007,13151,14026,3276,32062,13400,32124,30501,4098,7874,21922,32650,9125,22092,17908,18481,10768,30436,27861,1199,11092,19493,3007,17320,4579,15203,341,30608,19696,6045,11501,30924,3702,4149,26700,14213,5728,15350,14094,2110,18514,31083,3145,23124,1553,2121,22275,9760,26748,10658,2507,2418,10466,16094,27120,13611,13834,15622,32579,21571,22512,2775,1786,23696,28836,5466,32120,20753,19281,4431,15134,32703,29200,6335,1825,4111,20889,15517,22778,8064,6414,32385,29660,9193,6954,3970,3945,22556,23257,26627,4863,21086,17770,8899,17361,26940,20606,16220,30123,18072,14760,23162,16208,6038,15553,6142,29296,19051,15385,7914,1836,23623,2303,13695,32243,22097,15693,618,12942,30778,21956,19122,30922,1519,31553,2124,674,29375,1000,26329,17308,2257,16309,29846,26849,7089,11608,23043,5391,6190,28498,3784,20438,25222,31033,16038,15457,27353,30269,11463,12695,4561,16381,31904,3973,28345,29534,31675,10791,27014,9840,5157,3986,5920,6400,28462,12474,30520,24295,24507,7471,31196,9432,32097,13428,21883,2436,19249,25088,9724,28774,18779,21015,25273,24477,29815,13254,29930,19019,21296,24708,5547,6695,32439,4824,3771,3434,10953,15398,29489,13324,30118,8629,7135,836,18807,933,3117,16713,2299,30517,2741,27086,2157,1628,5672,2338,6899,3596,18708,25554,3003,10667,3552,21654,12138,5360,17572,12102,14415,24216,26210,1656,14728,3922,16870,7561,27474,18825,20714,23009,16631,5594,13131,22265,12085,12864,22391,24006,22416,4448,14562,6323,13959,28016,13266,13198,12902,25001,1385,22011,29849,24739,8316,32696,22079,9469,16956,31239,21143,24541,21579,4555,2964,25525,6506,16859,1051,22543,24011,27107,25256,24484,15624,8161,9970,32512,20197,16580,28090,19888,9908,12553,7258,24043,19348,3457,32012,6294,11071,16243,16718,24143,18428,14515,28106,2646,19040,1467,12777,28373,32690,17601,5824,2297,31417,21995,4847,31700,5531,12032}'),
	('6b8bdbc7-99d6-4d1c-b49f-7df3a923de64', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', 'b65d41f9-8caf-4a59-a227-c84c66cd9609', '2026-11-23 19:26:34.127762+00', 'what will the weather be? ', '{5505,28442,14094,19409,2110,18514,10708,31741,31083,12053,30204,15287,25088,9724,18171,28774,28031,26372,14374,8198,22512,14728,6369,26823,8449,6518,20447,11710,29846,24110,15916,13667,26486}'),
	('87e9bee9-fb10-4cab-8f2c-92581c9b0b6c', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', '27443250-7a81-4801-bb60-5b8ba5bb4eb6', '2026-11-23 19:26:34.000175+00', '从东京到巴黎有多远? 接着前面的“and of japan?”,我们来看这一个。你问的是: > 从东京到巴黎有多远? 我会从三个方面来想: - **目标**:先弄清你最终想得到什么,是一个结论、一份文字,还是一个决定。 - **条件**:有哪些限制不能动,比如时间、预算、受众或格式。 - **判断标准**:怎样才算“好”,最好能用一句话说出来。 **下一步:**把其中最不确定的一项告诉我,我们就从那里开始。例如:“我想要一个结论,今天之内,给完全不懂的人看。” > 本机模拟回答,未调用真实模型。', '{14615,9539,9254,11054,24191,719,28409,5390,6986,25405,30455,6540,10674,9053,4418,15033,24355,15916,27780,15654,30380,9756,11718,3890,11527,27686,28307,25674,10499,12586,19409,23936,15008,2041,21056,25414,6610,15646,31204,27841,25256,28892,11847,17146,26743,24872,23819,22799,26627,10995,2358,4870,29430,25864,18678,19326,16738,8881,32335,30918,18486,25538,32432,2423,25188,6270,17943,6602,5145,9019,10852,27721,27433,10364,25268,17806,22977,14453,22656,13151,19690,11453,25248,15345,29839,29046,32724,3836,3624,25045,14483,5574,20025,17320,4579,15203,31421,25464,12616,25006,4315,5728,15350,13553,7627,21543,13829,25314,2356,5033,29433,18030,17874,10014,24859,15267,15750,13729,4117,7881,20072,16704,20007,4238,14681,12454,23673,12511,3543,7221,29506,16343,16185,27824,20030,13904,4188,7811,28247,931,30260,32308,24493,18513,19027,22726,3458,26141,11649,25216,16325,11430,19004,26997,20808,12229,3759,27808,16367,23346,29372,11813,5520,7408,8187,20543,26112,3633,23395,29891,14980,12899,14584,9133,1795,19212,19388,6338,26401,813,15445,27140,18067,13569,30745,3493,9542,26290,25275,31768,23947,5978,31764,11099,1797,23991,14255,6783,24207,16336,4649,5916,19015,17484,31861,25994,17098,25421,16299,2341,29486,7436,29630,16173,11425,382,8042,18664,2126,21924,4146,24519,19595,10383,18537,30245,24598,32426,30847,7708,32745,17642,20680,12695,18708,286,4468,28219,32150,10521,23214,23720,18108,12387,18280,25938,32390,2231,22894,13153,14340,4368,17527,10903,22861,21716,877,21681,14638,30413,29897,27192,18531,22717,17768,9585,9484,30158,28158,26708,15914,13595,31982,32342,1622,21345,12981,31060,9598,4086,12587,3630,7224,16732,10029,8068,21809,21810,2867,13079,27615,9087,21878,122,26251,6605,10451,8824,23523,21632,4865,17122,7340,19644,30394,13404,16052,18272,12121,31743,10764,716,31615,28123,29980,8552,15409,26314,10096,13168,8908,19132,23398,24656,10333,5844,27843}'),
	('891041c3-40a3-4fe0-969a-e9be8834fdf1', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', '27443250-7a81-4801-bb60-5b8ba5bb4eb6', '2026-11-23 19:26:34.038338+00', '从东京到京都呢? 接着前面的“and of japan?”,我们来看这一个。你问的是: > 从东京到京都呢? 我会从三个方面来想: - **目标**:先弄清你最终想得到什么,是一个结论、一份文字,还是一个决定。 - **条件**:有哪些限制不能动,比如时间、预算、受众或格式。 - **判断标准**:怎样才算“好”,最好能用一句话说出来。 **下一步:**把其中最不确定的一项告诉我,我们就从那里开始。例如:“我想要一个结论,今天之内,给完全不懂的人看。” > 本机模拟回答,未调用真实模型。', '{14615,9539,9254,11054,24191,719,28409,22855,27157,12266,17265,19439,15916,18501,15654,30380,9756,11718,3890,11527,27686,28307,25674,10499,12586,19409,23936,15008,2041,21056,25414,6610,15646,31204,27841,25256,28892,11847,17146,26743,24872,23819,22799,26627,10995,2358,4870,29430,25864,18678,19326,16738,8881,32335,30918,18486,25538,32432,2423,25188,6270,17943,6602,5145,9019,10852,27721,27433,10364,25268,17806,22977,14453,22656,13151,19690,11453,25248,15345,29839,29046,32724,3836,3624,25045,14483,5574,20025,17320,4579,15203,31421,25464,12616,25006,4315,5728,15350,13553,7627,21543,13829,25314,2356,5033,29433,18030,17874,10014,24859,15267,15750,13729,4117,7881,20072,16704,20007,4238,14681,12454,23673,12511,3543,7221,29506,16343,16185,27824,20030,13904,4188,7811,28247,931,30260,32308,24493,18513,19027,22726,3458,26141,11649,25216,16325,11430,6540,19004,26997,20808,12229,3759,27808,16367,23346,29372,11813,5520,7408,8187,20543,26112,3633,23395,29891,14980,12899,14584,9133,1795,19212,19388,6338,26401,813,15445,27140,18067,13569,30745,3493,9542,26290,25275,31768,23947,5978,31764,11099,1797,23991,14255,6783,24207,16336,4649,5916,19015,17484,31861,25994,17098,25421,16299,2341,29486,7436,29630,16173,11425,382,8042,18664,2126,21924,4146,24519,19595,10383,18537,30245,24598,32426,30847,7708,32745,17642,20680,12695,18708,286,4468,28219,32150,10521,23214,23720,18108,12387,18280,25938,32390,2231,22894,13153,14340,4368,17527,10903,22861,21716,877,21681,14638,30413,29897,27192,18531,22717,17768,9585,9484,30158,28158,26708,15914,13595,31982,32342,1622,21345,12981,31060,9598,4086,12587,3630,7224,16732,10029,8068,21809,21810,2867,13079,27615,9087,21878,122,26251,6605,10451,8824,23523,21632,4865,17122,7340,19644,30394,13404,16052,18272,12121,31743,10764,716,31615,28123,29980,8552,15409,26314,10096,13168,8908,19132,23398,24656,10333,5844,27843}'),
	('d408f561-3cda-4bb7-9b42-4c5e88bd0b1f', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', '27443250-7a81-4801-bb60-5b8ba5bb4eb6', '2026-11-23 19:26:33.896953+00', 'and of japan? following on from “what is the capital of france?”, let’s look at this one. you asked: > and of japan? i’d come at it from three sides: - **goal**: what should you end up with: an answer, a piece of writing, or a decision? - **constraints**: what can’t move, such as time, budget, audience or format? - **yardstick**: how will you know that it’s good? one sentence is enough. **next step:** tell me whichever of these is least clear and we’ll start there. for example: “i need a decision, by tonight, for someone new to the subject.” > answered by the local emulator; no real model was called.', '{19409,15008,2041,21056,25414,6610,15646,31204,27841,25256,28892,11847,17146,26743,24872,23819,22799,15916,26627,10995,15919,15287,31064,19773,18171,28319,23589,31370,5505,20907,13162,12053,30204,16259,30865,22088,31031,24851,28583,13797,6518,25626,25585,1655,22204,22981,12922,10499,19412,28442,14094,2110,18514,10708,31741,31083,3778,30089,28031,26372,14374,8198,32062,2303,23227,5466,17087,11709,11744,13361,9136,4021,13750,14760,19073,13177,11463,10605,15134,4561,13667,17097,2358,4870,29430,25864,17422,5641,14857,12555,15180,1308,28937,22316,24469,307,7684,25677,4645,28645,10313,18895,31062,28787,5731,10646,24587,472,24891,5281,9881,18886,19066,22707,27386,12840,6098,14453,12577,12007,13151,14026,3276,13400,32124,30501,4098,7874,21922,19488,32650,9125,22092,17908,18481,10768,30436,27861,1199,11092,19493,3007,17320,4579,15203,341,30608,19696,6045,11501,30924,3702,4149,26700,14213,5728,15350,3145,4371,23124,1553,2121,22275,9760,26748,10658,2507,2418,10466,16094,27120,13611,13834,15622,32579,21571,22512,2775,20447,1786,23696,28836,32120,20753,19281,4431,32703,29200,5041,6335,1825,4111,20889,15517,22778,8064,6414,32385,29660,9193,6954,3970,3945,22556,23257,4863,21086,17770,8899,17361,26940,20606,16220,30123,18072,23162,16208,6038,15553,6142,29296,19051,15385,7914,1836,23623,13695,32243,22097,15693,618,12942,30778,21956,19122,30922,1519,31553,2124,674,29375,1000,26329,17308,2257,16309,29846,26849,7089,11608,23043,5391,6190,28498,3784,20438,25222,31033,16038,15457,27353,30269,12695,16381,31904,3973,28345,29534,31675,10791,27014,9840,5157,3986,5920,28671,6400,28462,12474,30520,24295,24507,7471,31196,9432,32097,13428,21883,2436,19249,11086,25088,9724,28774,18779,21015,25273,24477,29815,13254,29930,19019,21296,24708,5547,6695,32439,4824,3771,3434,10953,15398,29489,13324,30118,8629,7135,836,18807,933,3117,16713,2299,30517,2741,27086,2157,1628,5672,2338,6899,3596,18708,25554,3003,10667,3552,21654,12138,5360,17572,12102,14415,24216,26210,1656,14728,3922,16870,7561,27474,18825,20714,23009,16631,5594,13131,22265,12085,11710,7044,12864,22391,24006,22416,4448,14562,6323,13959,28016,13266,13198,12902,25001,1385,22011,29849,24739,6687,8316,32696,22079,9469,16956,31239,21143,24541,21579,4555,2964,25525,6506,16859,1051,22543,24011,27107,24484,15624,8161,9970,32512,20197,16580,28090,19888,9908,12553,7258,24043,19348,3457,32012,6294,11071,16243,16718,24143,18428,14515,28106,2646,19040,1467,12777,28373,32690,17601,5824,2297,31417,21995,4847,31700,5531,12032}'),
	('d8b29670-0b20-43a5-90da-98c7fb627bb9', '01a209df-ce84-705d-91a9-36221f6b0cb0', '20f60415-e997-4b86-add5-c58ea97c1a2f', '2026-11-23 19:26:34.64084+00', '写一首关于秋天的短诗 **《秋日》** 一阵风过, 满街的银杏忽然有了声音。 我把外套拢紧一点, 又舍不得走得太快。 黄昏把影子拉得很长, 像一封还没有写完的信。 想要更短、更押韵,或者换一个主题,都可以告诉我。 > 本机模拟回答,未调用真实模型。', '{22246,25188,17333,4609,4043,4311,23384,23432,29849,21256,20360,3630,24617,28307,27109,715,12819,37,5239,4579,15203,15002,19314,4630,15714,22915,18376,13091,9694,29682,30349,8055,363,26024,4519,29430,24384,11046,2320,5691,24339,29291,12860,16904,27800,380,10037,2706,18181,6540,30548,18707,26471,24684,12321,20371,17494,5145,9902,18678,286,23527,30813,26438,31974,14072,15949,15397,12868,17487,15513,6368,19841,5885,7485,27316,32320,11813,15866,15267,4835,32286,16811,13916,27904,14346,24030,26891,13524,3073,25180,14057,6667,13182,6602,12562,24387,24835,28606,22168,21767,5938,21446,28634,2311,22818,17484,17090,18227,931,4441,2563,12954,7151,15837,27615,29172,29834,16625,20147,17411,14483,21345,12981,26678,26486,13116,7221,32015,14060,30180,18066,23453,30948,5967,9542,21479,32307,6685,24621,2824,12623,17943,1475,22205,16512,29170,18736,27157,19636,5179,26081,3902,26029,14340,19145,17527,10903,22861,16376,13151,7340,19644,30394,13404,16052,18272,12121,31743,10764,716,31615,28123,29980,8552,15409,26314,382,10096,13168,8908,19132,23398,24656,10333,5844,27843}'),
	('deee5045-1f7f-42ec-ba47-e0807dca87ce', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', '27443250-7a81-4801-bb60-5b8ba5bb4eb6', '2026-11-23 19:26:33.788291+00', 'what is the capital of france? you asked: > what is the capital of france? i’d come at it from three sides: - **goal**: what should you end up with: an answer, a piece of writing, or a decision? - **constraints**: what can’t move, such as time, budget, audience or format? - **yardstick**: how will you know that it’s good? one sentence is enough. **next step:** tell me whichever of these is least clear and we’ll start there. for example: “i need a decision, by tonight, for someone new to the subject.” > answered by the local emulator; no real model was called.', '{5505,28442,14094,19409,2110,18514,10708,31741,31083,12053,3778,30089,28031,26372,14374,8198,32062,2303,11847,17146,23227,5466,17087,11709,11744,13361,9136,15287,4021,13750,15646,31204,27841,6518,25626,14760,19073,15008,2041,13177,11463,10605,15134,4561,15916,13667,17097,10646,24587,472,24891,5281,9881,24469,18886,19066,22707,27386,21056,12840,6098,14453,12577,12007,13151,12555,14026,3276,13400,22204,22981,32124,30501,4098,25585,1655,12922,7874,21922,19488,32650,9125,22092,17908,18481,10768,30436,27861,1199,11092,19493,3007,17320,4579,15203,31031,341,30608,19696,6045,11501,30924,3702,4149,26700,14213,5728,15350,3145,4371,23124,1553,2121,22275,9760,26748,10658,25414,2507,2418,30204,10466,16094,27120,13611,13834,15622,32579,21571,22512,2775,20447,1786,29430,23696,28836,32120,20753,19281,4431,32703,29200,5041,6335,1825,4111,20889,30865,15517,24851,28583,22778,8064,6414,32385,29660,9193,6954,3970,3945,22556,13797,23257,26627,4863,21086,17770,8899,17361,26940,20606,16220,30123,18072,23162,16208,6038,15553,6142,29296,19051,15385,7914,1836,23623,13695,32243,22097,15693,618,12942,30778,21956,19122,30922,1519,31553,2124,674,29375,1000,26329,17308,2257,16309,29846,26849,7089,11608,23043,5391,6190,5641,28498,3784,20438,25222,31033,16038,15457,27353,30269,12695,15919,16381,31904,3973,28345,29534,31675,10791,27014,9840,5157,3986,5920,28671,6400,28462,12474,30520,24295,24507,7471,31196,9432,32097,13428,21883,2436,19249,20907,11086,25088,9724,18171,28774,18779,21015,25273,24477,29815,15180,1308,28937,13254,29930,19019,21296,24708,10313,18895,5547,6695,32439,4824,3771,3434,10953,15398,29489,13324,30118,8629,31062,7135,836,18807,933,3117,16713,2299,30517,2741,27086,2157,1628,5672,2338,6899,3596,18708,25554,3003,10667,25677,3552,21654,12138,5360,17572,12102,14415,24216,26210,1656,17422,14728,3922,16870,7561,27474,18825,20714,6610,23009,16631,5594,13131,22265,12085,11710,7044,28787,12864,22391,24006,22416,4448,14562,6323,13959,28016,13266,13198,10499,12902,25001,1385,22011,29849,24739,6687,8316,32696,22079,9469,16956,31239,21143,24541,21579,4555,2964,25525,6506,16859,1051,22543,24011,27107,25256,24484,15624,8161,9970,32512,20197,16580,28090,19888,2358,9908,12553,23589,7258,24043,19348,3457,32012,6294,11071,16243,16718,24143,18428,14515,28106,2646,19040,1467,12777,28373,32690,17601,5824,2297,31417,21995,4847,31700,5531,12032}'),
	('e6d15b15-214c-446c-ad19-035e19d4198a', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', '3738ceb9-32bd-4785-84dc-825610fa5a66', '2026-11-23 19:26:34.564837+00', 'please forget this question. you asked: > please forget this question. i’d come at it from three sides: - **goal**: what should you end up with: an answer, a piece of writing, or a decision? - **constraints**: what can’t move, such as time, budget, audience or format? - **yardstick**: how will you know that it’s good? one sentence is enough. **next step:** tell me whichever of these is least clear and we’ll start there. for example: “i need a decision, by tonight, for someone new to the subject.” > answered by the local emulator; no real model was called.', '{11847,15287,13959,26372,17422,13266,19409,14728,3922,3778,9881,16870,5547,12813,31204,15646,15919,6518,6414,16381,31031,18704,435,5391,7740,10708,5641,28498,28442,28031,12053,25677,4645,30089,28645,3686,472,24022,2440,31595,1199,12785,20606,5792,4111,7471,3945,26187,15008,13797,23257,31062,28327,28098,10646,24587,24891,5281,24469,18886,19066,22707,27386,21056,12840,6098,14453,12577,12007,13151,12555,14026,3276,32062,13400,22204,22981,32124,30501,4098,31741,11709,25626,25585,1655,12922,7874,21922,19488,32650,9125,22092,17908,18481,10768,30436,27861,11092,19493,3007,17320,4579,15203,341,30608,19696,6045,11501,30924,4021,3702,4149,26700,14213,5728,15350,5505,14094,2110,18514,31083,3145,4371,23124,1553,2121,22275,9760,26748,10658,25414,2507,2418,30204,10466,16094,27120,13611,2041,13834,15622,32579,21571,22512,2775,20447,1786,29430,23696,28836,5466,32120,20753,19281,4431,15134,32703,27841,29200,5041,6335,1825,20889,30865,15517,24851,28583,22778,8064,32385,29660,9193,6954,3970,22556,15916,26627,4863,21086,17770,8899,17361,26940,16220,30123,18072,14760,23162,16208,6038,15553,6142,29296,19051,15385,7914,1836,23623,2303,13695,32243,22097,15693,618,12942,30778,21956,19122,30922,1519,31553,2124,674,29375,1000,26329,17308,2257,16309,29846,26849,7089,11608,23043,6190,3784,20438,25222,31033,16038,15457,27353,30269,11463,12695,4561,31904,3973,28345,29534,31675,10791,27014,9840,5157,3986,5920,28671,6400,28462,12474,30520,24295,24507,31196,9432,32097,13428,21883,2436,19249,20907,11086,25088,9724,18171,28774,18779,21015,25273,24477,29815,15180,1308,28937,13254,29930,19019,21296,24708,10313,18895,6695,32439,4824,3771,3434,10953,15398,29489,13324,30118,8629,7135,836,18807,933,3117,16713,2299,30517,2741,27086,2157,1628,5672,2338,6899,3596,18708,25554,3003,10667,3552,21654,12138,14374,5360,17572,12102,14415,24216,8198,26210,1656,7561,27474,18825,20714,6610,23009,16631,13361,5594,13131,22265,12085,11710,7044,28787,12864,22391,24006,22416,4448,14562,6323,28016,13198,10499,12902,25001,1385,22011,29849,24739,6687,8316,32696,22079,9469,16956,31239,21143,24541,21579,4555,2964,25525,6506,16859,1051,22543,24011,27107,25256,24484,15624,8161,9970,32512,20197,16580,28090,19888,2358,9908,12553,23589,7258,24043,19348,3457,32012,6294,11071,16243,16718,24143,18428,14515,28106,2646,19040,1467,12777,28373,32690,17601,5824,2297,31417,21995,4847,31700,5531,12032}'),
	('e77835b1-77a7-4a62-ae2c-b842bbdb9f00', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', '27443250-7a81-4801-bb60-5b8ba5bb4eb6', '2026-11-23 19:26:34.079405+00', 'a second beginning: what is 17 times 23? you asked: > a second beginning: what is 17 times 23? i’d come at it from three sides: - **goal**: what should you end up with: an answer, a piece of writing, or a decision? - **constraints**: what can’t move, such as time, budget, audience or format? - **yardstick**: how will you know that it’s good? one sentence is enough. **next step:** tell me whichever of these is least clear and we’ll start there. for example: “i need a decision, by tonight, for someone new to the subject.” > answered by the local emulator; no real model was called.', '{19409,3778,26372,5547,32062,19281,32526,15646,13400,15795,15008,13797,17361,21056,25414,14719,29846,24110,31031,16093,1429,12053,31594,26868,30865,10201,24558,15601,32696,21119,15019,24851,28583,14453,28406,30066,5505,28442,14094,2110,18514,10708,31741,31083,30089,16054,8077,24578,4111,22204,26329,17308,30501,2257,1199,26994,10139,14753,13153,15916,10791,9117,10646,24587,472,24891,5281,9881,24469,18886,19066,22707,27386,12840,6098,12577,12007,13151,12555,14026,3276,22981,32124,4098,11709,31204,6518,25626,25585,1655,12922,28031,7874,21922,19488,32650,9125,22092,17908,18481,10768,30436,27861,11092,19493,3007,17320,4579,15203,341,30608,19696,6045,11501,30924,15287,4021,3702,4149,26700,14213,5728,15350,3145,4371,23124,1553,2121,22275,9760,26748,10658,2507,11847,2418,30204,10466,16094,27120,13611,2041,13834,15622,32579,21571,22512,2775,20447,1786,29430,23696,28836,5466,32120,20753,4431,15134,32703,27841,29200,5041,6335,1825,20889,15517,22778,8064,6414,32385,29660,9193,6954,3970,3945,22556,23257,26627,4863,21086,17770,8899,26940,20606,16220,30123,18072,14760,23162,16208,6038,15553,6142,29296,19051,15385,7914,1836,23623,2303,13695,32243,22097,15693,618,12942,30778,21956,19122,30922,1519,31553,2124,674,29375,1000,16309,26849,7089,11608,23043,5391,6190,5641,28498,3784,20438,25222,31033,16038,15457,27353,30269,11463,12695,4561,15919,16381,31904,3973,28345,29534,31675,27014,9840,5157,3986,5920,28671,6400,28462,12474,30520,24295,24507,7471,31196,9432,32097,13428,21883,2436,19249,20907,11086,25088,9724,18171,28774,18779,21015,25273,24477,29815,15180,1308,28937,13254,29930,19019,21296,24708,10313,18895,6695,32439,4824,3771,3434,10953,15398,29489,13324,30118,8629,31062,7135,836,18807,933,3117,16713,2299,30517,2741,27086,2157,1628,5672,2338,6899,3596,18708,25554,3003,10667,25677,3552,21654,12138,14374,5360,17572,12102,14415,24216,8198,26210,1656,17422,14728,3922,16870,7561,27474,18825,20714,6610,23009,16631,13361,5594,13131,22265,12085,11710,7044,28787,12864,22391,24006,22416,4448,14562,6323,13959,28016,13266,13198,10499,12902,25001,1385,22011,29849,24739,6687,8316,22079,9469,16956,31239,21143,24541,21579,4555,2964,25525,6506,16859,1051,22543,24011,27107,25256,24484,15624,8161,9970,32512,20197,16580,28090,19888,2358,9908,12553,23589,7258,24043,19348,3457,32012,6294,11071,16243,16718,24143,18428,14515,28106,2646,19040,1467,12777,28373,32690,17601,5824,2297,31417,21995,4847,31700,5531,12032}');


--
-- Data for Name: second_factors; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: sessions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sessions VALUES
	('01a209df-ce56-7512-99df-26a6b29268f9', '01a209df-ce2a-71ed-a0d8-82a7eb2da962', 'qjNAbrmydn5nbWN4sb5K0nHxc7r04YBymDwJHOzJves', '2026-12-23 19:26:32.023466+00', '127.0.0.1', 'node', '2026-11-23 19:26:32.023466+00', '2026-11-23 19:26:32.023466+00', '2026-11-23 19:26:32.023466+00', '2026-11-23 19:26:32.023466+00'),
	('01a209df-ce97-7492-afaa-34b7704ac82e', '01a209df-ce84-705d-91a9-36221f6b0cb0', 'CqgEgJs4yXV3qJ71PUROJDXeviRITsTuQXOJpszNrUo', '2026-12-23 19:26:32.092387+00', '127.0.0.1', 'node', '2026-11-23 19:26:32.092387+00', '2026-11-23 19:26:32.092387+00', '2026-11-23 19:26:32.092387+00', '2026-11-23 19:26:32.092387+00');


--
-- Data for Name: sign_in_steps; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: subscriptions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.subscriptions VALUES
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 'gemini_basic', 'monthly', 'creem', true, false, '2026-11-23 19:26:32.176+00', '2026-12-23 19:26:32.176+00', '2026-11-23 19:26:32.176+00', 'active', '2026-12-26 19:26:32.176+00'),
	('01a209df-ce84-705d-91a9-36221f6b0cb0', 'gemini_pro', 'annual', 'bagelpay', true, false, '2026-11-23 19:26:33+00', '2027-11-23 19:26:33+00', '2026-11-23 19:26:33+00', 'active', '2027-11-26 19:26:33+00');


--
-- Data for Name: users; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.users VALUES
	('01a209df-ce2a-71ed-a0d8-82a7eb2da962', 'ada@example.test', false, 'ada', NULL, '2026-11-23 19:26:31.990771+00', '2026-11-23 19:26:31.990771+00', '2026-11-23 19:26:32.023466+00', 'zh', '\x04897133474db8308ea23dd2fa6a1676d99d602a901f96e242cfe2d04805ce47', NULL, NULL, NULL),
	('01a209df-ce84-705d-91a9-36221f6b0cb0', 'bo@example.test', false, 'bo', NULL, '2026-11-23 19:26:32.069325+00', '2026-11-23 19:26:32.069325+00', '2026-11-23 19:26:32.092387+00', 'zh', '\x93fe4aaaa8bce3f99ce3efa7c42e3d198c8e567c8a10487048ef625e2aabd344', NULL, NULL, NULL);


--
-- Data for Name: verifications; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.verifications VALUES
	('01a209df-d0e2-7521-9359-4657520b9df2', 'verify-email:p4hQyweh2LsFUZll5f376x4wk-wSVP_APNTg1iSfuio', '01a209df-ce2a-71ed-a0d8-82a7eb2da962 ada@example.test', '2026-11-24 19:26:32.674+00', '2026-11-23 19:26:32.678312+00', '2026-11-23 19:26:32.678312+00'),
	('01a209df-d1e4-7623-835d-e472f61efb5e', 'verify-email:Tvg1WF9lDS4W-onVPEy2KfVtEHB5Z3SWe2IoNtAm-vo', '01a209df-ce84-705d-91a9-36221f6b0cb0 bo@example.test', '2026-11-24 19:26:32.932+00', '2026-11-23 19:26:32.932268+00', '2026-11-23 19:26:32.932268+00');


--
-- Name: audit_id_seq; Type: SEQUENCE SET; Schema: billing; Owner: -
--

SELECT pg_catalog.setval('billing.audit_id_seq', 1, false);


--
-- Name: facts_id_seq; Type: SEQUENCE SET; Schema: billing; Owner: -
--

SELECT pg_catalog.setval('billing.facts_id_seq', 16, true);


--
-- Name: inbox_id_seq; Type: SEQUENCE SET; Schema: billing; Owner: -
--

SELECT pg_catalog.setval('billing.inbox_id_seq', 5, true);


--
-- Name: bucket_id_seq; Type: SEQUENCE SET; Schema: credit; Owner: -
--

SELECT pg_catalog.setval('credit.bucket_id_seq', 4, true);


--
-- Name: transfer_id_seq; Type: SEQUENCE SET; Schema: credit; Owner: -
--

SELECT pg_catalog.setval('credit.transfer_id_seq', 28, true);


--
-- Name: account account_pkey; Type: CONSTRAINT; Schema: billing; Owner: -
--

ALTER TABLE ONLY billing.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (user_id);


--
-- Name: audit audit_pkey; Type: CONSTRAINT; Schema: billing; Owner: -
--

ALTER TABLE ONLY billing.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);


--
-- Name: cancellations cancellations_pkey; Type: CONSTRAINT; Schema: billing; Owner: -
--

ALTER TABLE ONLY billing.cancellations
    ADD CONSTRAINT cancellations_pkey PRIMARY KEY (provider, subscription_id, reason, asked_at);


--
-- Name: facts facts_pkey; Type: CONSTRAINT; Schema: billing; Owner: -
--

ALTER TABLE ONLY billing.facts
    ADD CONSTRAINT facts_pkey PRIMARY KEY (id);


--
-- Name: facts facts_provider_digest_key; Type: CONSTRAINT; Schema: billing; Owner: -
--

ALTER TABLE ONLY billing.facts
    ADD CONSTRAINT facts_provider_digest_key UNIQUE (provider, digest);


--
-- Name: handles handles_pkey; Type: CONSTRAINT; Schema: billing; Owner: -
--

ALTER TABLE ONLY billing.handles
    ADD CONSTRAINT handles_pkey PRIMARY KEY (provider, kind, id);


--
-- Name: inbox inbox_pkey; Type: CONSTRAINT; Schema: billing; Owner: -
--

ALTER TABLE ONLY billing.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (id);


--
-- Name: inbox inbox_provider_dedupe_key_key; Type: CONSTRAINT; Schema: billing; Owner: -
--

ALTER TABLE ONLY billing.inbox
    ADD CONSTRAINT inbox_provider_dedupe_key_key UNIQUE (provider, dedupe_key);


--
-- Name: orders orders_pkey; Type: CONSTRAINT; Schema: billing; Owner: -
--

ALTER TABLE ONLY billing.orders
    ADD CONSTRAINT orders_pkey PRIMARY KEY (id);


--
-- Name: orders orders_provider_checkout_id_key; Type: CONSTRAINT; Schema: billing; Owner: -
--

ALTER TABLE ONLY billing.orders
    ADD CONSTRAINT orders_provider_checkout_id_key UNIQUE (provider, checkout_id);


--
-- Name: account account_pkey; Type: CONSTRAINT; Schema: credit; Owner: -
--

ALTER TABLE ONLY credit.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (user_id);


--
-- Name: bucket bucket_payment_key_key; Type: CONSTRAINT; Schema: credit; Owner: -
--

ALTER TABLE ONLY credit.bucket
    ADD CONSTRAINT bucket_payment_key_key UNIQUE (payment_key);


--
-- Name: bucket bucket_pkey; Type: CONSTRAINT; Schema: credit; Owner: -
--

ALTER TABLE ONLY credit.bucket
    ADD CONSTRAINT bucket_pkey PRIMARY KEY (id);


--
-- Name: bucket bucket_rules; Type: CHECK CONSTRAINT; Schema: credit; Owner: -
--

ALTER TABLE credit.bucket
    ADD CONSTRAINT bucket_rules CHECK (credit.check_bucket(bucket.*));


--
-- Name: bucket bucket_source; Type: CONSTRAINT; Schema: credit; Owner: -
--

ALTER TABLE ONLY credit.bucket
    ADD CONSTRAINT bucket_source UNIQUE (user_id, source_key);


--
-- Name: hold hold_pkey; Type: CONSTRAINT; Schema: credit; Owner: -
--

ALTER TABLE ONLY credit.hold
    ADD CONSTRAINT hold_pkey PRIMARY KEY (user_id, id);


--
-- Name: hold hold_rules; Type: CHECK CONSTRAINT; Schema: credit; Owner: -
--

ALTER TABLE credit.hold
    ADD CONSTRAINT hold_rules CHECK (credit.check_hold(hold.*));


--
-- Name: transfer transfer_pkey; Type: CONSTRAINT; Schema: credit; Owner: -
--

ALTER TABLE ONLY credit.transfer
    ADD CONSTRAINT transfer_pkey PRIMARY KEY (user_id, id);


--
-- Name: transfer transfer_rules; Type: CHECK CONSTRAINT; Schema: credit; Owner: -
--

ALTER TABLE credit.transfer
    ADD CONSTRAINT transfer_rules CHECK (credit.check_transfer(transfer.*));


--
-- Name: address_grants address_grants_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.address_grants
    ADD CONSTRAINT address_grants_pkey PRIMARY KEY (address_hash);


--
-- Name: api_keys api_keys_hash; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_hash UNIQUE (hash);


--
-- Name: api_keys api_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);


--
-- Name: api_requests api_requests_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_requests
    ADD CONSTRAINT api_requests_pkey PRIMARY KEY (message_id);


--
-- Name: conversations conversations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.conversations
    ADD CONSTRAINT conversations_pkey PRIMARY KEY (id);


--
-- Name: conversations conversations_user_id_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.conversations
    ADD CONSTRAINT conversations_user_id_id_key UNIQUE (user_id, id);


--
-- Name: departures departures_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.departures
    ADD CONSTRAINT departures_pkey PRIMARY KEY (user_id);


--
-- Name: email_changes email_changes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.email_changes
    ADD CONSTRAINT email_changes_pkey PRIMARY KEY (id);


--
-- Name: email_changes email_changes_user; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.email_changes
    ADD CONSTRAINT email_changes_user UNIQUE (user_id);


--
-- Name: enrolments enrolments_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.enrolments
    ADD CONSTRAINT enrolments_pkey PRIMARY KEY (user_id);


--
-- Name: export_chunks export_chunks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.export_chunks
    ADD CONSTRAINT export_chunks_pkey PRIMARY KEY (export_id, try, number);


--
-- Name: exports exports_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.exports
    ADD CONSTRAINT exports_pkey PRIMARY KEY (id);


--
-- Name: identities identities_once; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_once UNIQUE (provider_id, account_id);


--
-- Name: identities identities_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_pkey PRIMARY KEY (id);


--
-- Name: instances instances_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.instances
    ADD CONSTRAINT instances_pkey PRIMARY KEY (id);


--
-- Name: known_devices known_devices_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.known_devices
    ADD CONSTRAINT known_devices_pkey PRIMARY KEY (user_id, browser, network);


--
-- Name: mails mails_key_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_key_key UNIQUE (key);


--
-- Name: mails mails_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_pkey PRIMARY KEY (id);


--
-- Name: message_events message_events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.message_events
    ADD CONSTRAINT message_events_pkey PRIMARY KEY (message_id, first_seq);


--
-- Name: messages messages_conversation_id_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_conversation_id_id_key UNIQUE (conversation_id, id);


--
-- Name: messages messages_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_pkey PRIMARY KEY (id);


--
-- Name: passkey_challenges passkey_challenges_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.passkey_challenges
    ADD CONSTRAINT passkey_challenges_pkey PRIMARY KEY (hash);


--
-- Name: passkeys passkeys_credential; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_credential UNIQUE (credential_id);


--
-- Name: passkeys passkeys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (id);


--
-- Name: pictures pictures_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pictures
    ADD CONSTRAINT pictures_pkey PRIMARY KEY (user_id);


--
-- Name: rate_limits rate_limits_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rate_limits
    ADD CONSTRAINT rate_limits_pkey PRIMARY KEY (key);


--
-- Name: recovery_codes recovery_codes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, hash);


--
-- Name: schema_migrations schema_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (name);


--
-- Name: search_queue search_queue_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_queue
    ADD CONSTRAINT search_queue_pkey PRIMARY KEY (message_id);


--
-- Name: search_texts search_texts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_texts
    ADD CONSTRAINT search_texts_pkey PRIMARY KEY (message_id);


--
-- Name: second_factors second_factors_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.second_factors
    ADD CONSTRAINT second_factors_pkey PRIMARY KEY (user_id);


--
-- Name: sessions sessions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);


--
-- Name: sessions sessions_token; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_token UNIQUE (token);


--
-- Name: sign_in_steps sign_in_steps_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sign_in_steps
    ADD CONSTRAINT sign_in_steps_pkey PRIMARY KEY (hash);


--
-- Name: subscriptions subscriptions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_pkey PRIMARY KEY (user_id);


--
-- Name: users users_email; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_email UNIQUE (email);


--
-- Name: users users_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);


--
-- Name: verifications verifications_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.verifications
    ADD CONSTRAINT verifications_pkey PRIMARY KEY (id);


--
-- Name: account_asks; Type: INDEX; Schema: billing; Owner: -
--

CREATE INDEX account_asks ON billing.account USING btree (ask_at) WHERE (ask_at IS NOT NULL);


--
-- Name: account_changes; Type: INDEX; Schema: billing; Owner: -
--

CREATE INDEX account_changes ON billing.account USING btree (next_change_at) WHERE (next_change_at IS NOT NULL);


--
-- Name: cancellations_due; Type: INDEX; Schema: billing; Owner: -
--

CREATE INDEX cancellations_due ON billing.cancellations USING btree (next_try_at) WHERE (done_at IS NULL);


--
-- Name: facts_of_inbox; Type: INDEX; Schema: billing; Owner: -
--

CREATE INDEX facts_of_inbox ON billing.facts USING btree (inbox_id) WHERE (inbox_id IS NOT NULL);


--
-- Name: facts_of_nobody; Type: INDEX; Schema: billing; Owner: -
--

CREATE INDEX facts_of_nobody ON billing.facts USING gin (leads) WHERE (user_id IS NULL);


--
-- Name: facts_of_user; Type: INDEX; Schema: billing; Owner: -
--

CREATE INDEX facts_of_user ON billing.facts USING btree (user_id, id) WHERE (user_id IS NOT NULL);


--
-- Name: facts_unplaced; Type: INDEX; Schema: billing; Owner: -
--

CREATE INDEX facts_unplaced ON billing.facts USING btree (id) WHERE (user_id IS NULL);


--
-- Name: handles_of_user; Type: INDEX; Schema: billing; Owner: -
--

CREATE INDEX handles_of_user ON billing.handles USING btree (user_id);


--
-- Name: inbox_due; Type: INDEX; Schema: billing; Owner: -
--

CREATE INDEX inbox_due ON billing.inbox USING btree (provider, next_try_at) WHERE (status = 'new'::text);


--
-- Name: inbox_failed; Type: INDEX; Schema: billing; Owner: -
--

CREATE INDEX inbox_failed ON billing.inbox USING btree (id) WHERE (status = 'failed'::text);


--
-- Name: inbox_of_user; Type: INDEX; Schema: billing; Owner: -
--

CREATE INDEX inbox_of_user ON billing.inbox USING btree (user_id) WHERE (user_id IS NOT NULL);


--
-- Name: inbox_told; Type: INDEX; Schema: billing; Owner: -
--

CREATE INDEX inbox_told ON billing.inbox USING btree (provider, told_digest) WHERE (status = 'done'::text);


--
-- Name: orders_newest; Type: INDEX; Schema: billing; Owner: -
--

CREATE INDEX orders_newest ON billing.orders USING btree (user_id, created_at DESC, id DESC);


--
-- Name: orders_open_once; Type: INDEX; Schema: billing; Owner: -
--

CREATE UNIQUE INDEX orders_open_once ON billing.orders USING btree (user_id, provider, plan_key, cycle) WHERE ((status = 'open'::text) AND (NOT confirming));


--
-- Name: bucket_due; Type: INDEX; Schema: credit; Owner: -
--

CREATE INDEX bucket_due ON credit.bucket USING btree (expires_at) WHERE ((ended_at IS NULL) AND (expires_at IS NOT NULL));


--
-- Name: bucket_open; Type: INDEX; Schema: credit; Owner: -
--

CREATE INDEX bucket_open ON credit.bucket USING btree (user_id, expires_at, id) WHERE (ended_at IS NULL);


--
-- Name: transfer_hold_once; Type: INDEX; Schema: credit; Owner: -
--

CREATE UNIQUE INDEX transfer_hold_once ON credit.transfer USING btree (hold_id, user_id, bucket_id, src) WHERE (hold_id IS NOT NULL);


--
-- Name: transfer_issue_once; Type: INDEX; Schema: credit; Owner: -
--

CREATE UNIQUE INDEX transfer_issue_once ON credit.transfer USING btree (bucket_id) WHERE (src = 'issue'::text);


--
-- Name: address_grants_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX address_grants_age ON public.address_grants USING btree (free_until);


--
-- Name: api_keys_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX api_keys_user ON public.api_keys USING btree (user_id, created_at);


--
-- Name: api_requests_fresh; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX api_requests_fresh ON public.api_requests USING btree (created_at) WHERE is_fresh;


--
-- Name: api_requests_key; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX api_requests_key ON public.api_requests USING btree (key_id, created_at);


--
-- Name: api_requests_newest; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX api_requests_newest ON public.api_requests USING btree (user_id, created_at);


--
-- Name: api_requests_once; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX api_requests_once ON public.api_requests USING btree (user_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);


--
-- Name: conversations_archived; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX conversations_archived ON public.conversations USING btree (user_id, updated_at DESC, id DESC) WHERE ((archived_at IS NOT NULL) AND (deleted_at IS NULL) AND (NOT is_temporary));


--
-- Name: conversations_deleted; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX conversations_deleted ON public.conversations USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);


--
-- Name: conversations_listed; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX conversations_listed ON public.conversations USING btree (user_id, updated_at DESC, id DESC) WHERE ((deleted_at IS NULL) AND (archived_at IS NULL) AND (pinned_at IS NULL) AND (NOT is_temporary));


--
-- Name: conversations_pinned; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX conversations_pinned ON public.conversations USING btree (user_id, pinned_at DESC, id DESC) WHERE ((pinned_at IS NOT NULL) AND (deleted_at IS NULL) AND (NOT is_temporary));


--
-- Name: conversations_temporary; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX conversations_temporary ON public.conversations USING btree (updated_at) WHERE is_temporary;


--
-- Name: departures_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX departures_due ON public.departures USING btree (next_try_at) WHERE (done_at IS NULL);


--
-- Name: email_changes_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX email_changes_expiry ON public.email_changes USING btree (expires_at);


--
-- Name: enrolments_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX enrolments_expiry ON public.enrolments USING btree (expires_at);


--
-- Name: exports_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX exports_due ON public.exports USING btree (next_try_at) WHERE (state = 'waiting'::text);


--
-- Name: exports_newest; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX exports_newest ON public.exports USING btree (user_id, requested_at DESC);


--
-- Name: exports_one_at_a_time; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX exports_one_at_a_time ON public.exports USING btree (user_id) WHERE (state = 'waiting'::text);


--
-- Name: identities_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX identities_user ON public.identities USING btree (user_id);


--
-- Name: mails_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX mails_age ON public.mails USING btree (ended_at) WHERE (ended_at IS NOT NULL);


--
-- Name: mails_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX mails_due ON public.mails USING btree (next_try_at) WHERE (ended_at IS NULL);


--
-- Name: message_events_written; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX message_events_written ON public.message_events USING brin (written_at);


--
-- Name: messages_api; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX messages_api ON public.messages USING btree (user_id, created_at) WHERE (conversation_id IS NULL);


--
-- Name: messages_children; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX messages_children ON public.messages USING btree (conversation_id, parent_id, created_at, id);


--
-- Name: messages_in_order; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX messages_in_order ON public.messages USING btree (conversation_id, created_at, id);


--
-- Name: messages_running; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX messages_running ON public.messages USING btree (user_id, owner) WHERE (status = 'running'::text);


--
-- Name: passkey_challenges_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX passkey_challenges_expiry ON public.passkey_challenges USING btree (expires_at);


--
-- Name: passkeys_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX passkeys_user ON public.passkeys USING btree (user_id);


--
-- Name: rate_limits_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX rate_limits_age ON public.rate_limits USING btree (started_at);


--
-- Name: search_texts_keys; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_texts_keys ON public.search_texts USING gin (public.search_keys(user_id, slots)) WITH (fastupdate=off);


--
-- Name: search_texts_newest; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_texts_newest ON public.search_texts USING btree (user_id, sent_at DESC, message_id DESC);


--
-- Name: sessions_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_at);


--
-- Name: sessions_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sessions_user ON public.sessions USING btree (user_id);


--
-- Name: sign_in_steps_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sign_in_steps_expiry ON public.sign_in_steps USING btree (expires_at);


--
-- Name: sign_in_steps_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sign_in_steps_user ON public.sign_in_steps USING btree (user_id);


--
-- Name: users_deleted; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX users_deleted ON public.users USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);


--
-- Name: verifications_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX verifications_expiry ON public.verifications USING btree (expires_at);


--
-- Name: verifications_identifier; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX verifications_identifier ON public.verifications USING btree (identifier);


--
-- Name: orders orders_of_nobody; Type: TRIGGER; Schema: billing; Owner: -
--

CREATE TRIGGER orders_of_nobody BEFORE INSERT ON billing.orders FOR EACH ROW EXECUTE FUNCTION public.refuse_leaving();


--
-- Name: account account_stays; Type: TRIGGER; Schema: credit; Owner: -
--

CREATE TRIGGER account_stays BEFORE DELETE ON credit.account FOR EACH ROW EXECUTE FUNCTION credit.refuse_delete();


--
-- Name: bucket bucket_not_emptied; Type: TRIGGER; Schema: credit; Owner: -
--

CREATE TRIGGER bucket_not_emptied BEFORE TRUNCATE ON credit.bucket FOR EACH STATEMENT EXECUTE FUNCTION credit.refuse_change();


--
-- Name: bucket bucket_stays; Type: TRIGGER; Schema: credit; Owner: -
--

CREATE TRIGGER bucket_stays BEFORE DELETE ON credit.bucket FOR EACH ROW EXECUTE FUNCTION credit.refuse_delete();


--
-- Name: hold hold_stays; Type: TRIGGER; Schema: credit; Owner: -
--

CREATE TRIGGER hold_stays BEFORE DELETE ON credit.hold FOR EACH ROW EXECUTE FUNCTION credit.refuse_delete();


--
-- Name: transfer transfer_is_final; Type: TRIGGER; Schema: credit; Owner: -
--

CREATE TRIGGER transfer_is_final BEFORE UPDATE OR TRUNCATE ON credit.transfer FOR EACH STATEMENT EXECUTE FUNCTION credit.refuse_change();


--
-- Name: transfer transfer_stays; Type: TRIGGER; Schema: credit; Owner: -
--

CREATE TRIGGER transfer_stays BEFORE DELETE ON credit.transfer FOR EACH ROW EXECUTE FUNCTION credit.refuse_delete();


--
-- Name: api_keys api_keys_of_nobody; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER api_keys_of_nobody BEFORE INSERT ON public.api_keys FOR EACH ROW EXECUTE FUNCTION public.refuse_leaving();


--
-- Name: enrolments enrolments_of_nobody; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER enrolments_of_nobody BEFORE INSERT ON public.enrolments FOR EACH ROW EXECUTE FUNCTION public.refuse_leaving();


--
-- Name: exports exports_of_nobody; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER exports_of_nobody BEFORE INSERT ON public.exports FOR EACH ROW EXECUTE FUNCTION public.refuse_leaving();


--
-- Name: identities identities_end_steps; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER identities_end_steps AFTER DELETE OR UPDATE OF password ON public.identities FOR EACH ROW EXECUTE FUNCTION public.end_sign_in_steps();


--
-- Name: identities identities_of_nobody; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER identities_of_nobody BEFORE INSERT ON public.identities FOR EACH ROW EXECUTE FUNCTION public.refuse_leaving();


--
-- Name: users open_credit_account; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER open_credit_account AFTER INSERT ON public.users FOR EACH ROW EXECUTE FUNCTION credit.open_account();


--
-- Name: passkeys passkeys_of_nobody; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER passkeys_of_nobody BEFORE INSERT ON public.passkeys FOR EACH ROW EXECUTE FUNCTION public.refuse_leaving();


--
-- Name: pictures pictures_of_nobody; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER pictures_of_nobody BEFORE INSERT OR UPDATE ON public.pictures FOR EACH ROW EXECUTE FUNCTION public.refuse_leaving();


--
-- Name: second_factors second_factors_of_nobody; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER second_factors_of_nobody BEFORE INSERT ON public.second_factors FOR EACH ROW EXECUTE FUNCTION public.refuse_leaving();


--
-- Name: sessions sessions_note_login; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER sessions_note_login AFTER INSERT ON public.sessions FOR EACH ROW EXECUTE FUNCTION public.note_login();


--
-- Name: sessions sessions_of_nobody; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER sessions_of_nobody BEFORE INSERT ON public.sessions FOR EACH ROW EXECUTE FUNCTION public.refuse_leaving();


--
-- Name: sign_in_steps sign_in_steps_of_nobody; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER sign_in_steps_of_nobody BEFORE INSERT ON public.sign_in_steps FOR EACH ROW EXECUTE FUNCTION public.refuse_leaving();


--
-- Name: users users_carry_address; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER users_carry_address AFTER UPDATE OF address_hash ON public.users FOR EACH ROW WHEN (((new.address_hash IS NOT NULL) AND (new.address_hash IS DISTINCT FROM old.address_hash))) EXECUTE FUNCTION credit.carry_address();


--
-- Name: users users_delete_api_messages; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER users_delete_api_messages BEFORE DELETE ON public.users FOR EACH ROW EXECUTE FUNCTION public.delete_api_messages();


--
-- Name: users users_withhold_free_months; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER users_withhold_free_months AFTER UPDATE OF free_withheld ON public.users FOR EACH ROW WHEN ((new.free_withheld IS DISTINCT FROM old.free_withheld)) EXECUTE FUNCTION credit.withhold_free_months();


--
-- Name: account account_user_id_fkey; Type: FK CONSTRAINT; Schema: billing; Owner: -
--

ALTER TABLE ONLY billing.account
    ADD CONSTRAINT account_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: cancellations cancellations_user_id_fkey; Type: FK CONSTRAINT; Schema: billing; Owner: -
--

ALTER TABLE ONLY billing.cancellations
    ADD CONSTRAINT cancellations_user_id_fkey FOREIGN KEY (user_id) REFERENCES billing.account(user_id) ON DELETE CASCADE;


--
-- Name: facts facts_inbox_id_fkey; Type: FK CONSTRAINT; Schema: billing; Owner: -
--

ALTER TABLE ONLY billing.facts
    ADD CONSTRAINT facts_inbox_id_fkey FOREIGN KEY (inbox_id) REFERENCES billing.inbox(id) ON DELETE SET NULL;


--
-- Name: facts facts_user_id_fkey; Type: FK CONSTRAINT; Schema: billing; Owner: -
--

ALTER TABLE ONLY billing.facts
    ADD CONSTRAINT facts_user_id_fkey FOREIGN KEY (user_id) REFERENCES billing.account(user_id) ON DELETE CASCADE;


--
-- Name: handles handles_user_id_fkey; Type: FK CONSTRAINT; Schema: billing; Owner: -
--

ALTER TABLE ONLY billing.handles
    ADD CONSTRAINT handles_user_id_fkey FOREIGN KEY (user_id) REFERENCES billing.account(user_id) ON DELETE CASCADE;


--
-- Name: inbox inbox_user_id_fkey; Type: FK CONSTRAINT; Schema: billing; Owner: -
--

ALTER TABLE ONLY billing.inbox
    ADD CONSTRAINT inbox_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: orders orders_user_id_fkey; Type: FK CONSTRAINT; Schema: billing; Owner: -
--

ALTER TABLE ONLY billing.orders
    ADD CONSTRAINT orders_user_id_fkey FOREIGN KEY (user_id) REFERENCES billing.account(user_id) ON DELETE CASCADE;


--
-- Name: account account_user_id_fkey; Type: FK CONSTRAINT; Schema: credit; Owner: -
--

ALTER TABLE ONLY credit.account
    ADD CONSTRAINT account_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: bucket bucket_user_id_fkey; Type: FK CONSTRAINT; Schema: credit; Owner: -
--

ALTER TABLE ONLY credit.bucket
    ADD CONSTRAINT bucket_user_id_fkey FOREIGN KEY (user_id) REFERENCES credit.account(user_id) ON DELETE CASCADE;


--
-- Name: hold hold_user_id_fkey; Type: FK CONSTRAINT; Schema: credit; Owner: -
--

ALTER TABLE ONLY credit.hold
    ADD CONSTRAINT hold_user_id_fkey FOREIGN KEY (user_id) REFERENCES credit.account(user_id) ON DELETE CASCADE;


--
-- Name: transfer transfer_user_id_fkey; Type: FK CONSTRAINT; Schema: credit; Owner: -
--

ALTER TABLE ONLY credit.transfer
    ADD CONSTRAINT transfer_user_id_fkey FOREIGN KEY (user_id) REFERENCES credit.account(user_id) ON DELETE CASCADE;


--
-- Name: transfer transfer_user_id_hold_id_fkey; Type: FK CONSTRAINT; Schema: credit; Owner: -
--

ALTER TABLE ONLY credit.transfer
    ADD CONSTRAINT transfer_user_id_hold_id_fkey FOREIGN KEY (user_id, hold_id) REFERENCES credit.hold(user_id, id) ON DELETE CASCADE;


--
-- Name: api_keys api_keys_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: api_requests api_requests_key_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_requests
    ADD CONSTRAINT api_requests_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id) ON DELETE CASCADE;


--
-- Name: api_requests api_requests_message_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_requests
    ADD CONSTRAINT api_requests_message_id_fkey FOREIGN KEY (message_id) REFERENCES public.messages(id) ON DELETE CASCADE;


--
-- Name: api_requests api_requests_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_requests
    ADD CONSTRAINT api_requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: conversations conversations_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.conversations
    ADD CONSTRAINT conversations_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: departures departures_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.departures
    ADD CONSTRAINT departures_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: email_changes email_changes_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.email_changes
    ADD CONSTRAINT email_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: enrolments enrolments_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.enrolments
    ADD CONSTRAINT enrolments_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: export_chunks export_chunks_export_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.export_chunks
    ADD CONSTRAINT export_chunks_export_id_fkey FOREIGN KEY (export_id) REFERENCES public.exports(id) ON DELETE CASCADE;


--
-- Name: exports exports_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.exports
    ADD CONSTRAINT exports_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: identities identities_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: known_devices known_devices_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.known_devices
    ADD CONSTRAINT known_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: messages messages_conversation; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_conversation FOREIGN KEY (user_id, conversation_id) REFERENCES public.conversations(user_id, id) ON DELETE CASCADE;


--
-- Name: messages messages_parent; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_parent FOREIGN KEY (conversation_id, parent_id) REFERENCES public.messages(conversation_id, id);


--
-- Name: passkeys passkeys_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: pictures pictures_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pictures
    ADD CONSTRAINT pictures_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: recovery_codes recovery_codes_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.second_factors(user_id) ON DELETE CASCADE;


--
-- Name: search_texts search_texts_message_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_texts
    ADD CONSTRAINT search_texts_message_id_fkey FOREIGN KEY (message_id) REFERENCES public.messages(id) ON DELETE CASCADE;


--
-- Name: second_factors second_factors_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.second_factors
    ADD CONSTRAINT second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: sessions sessions_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: sign_in_steps sign_in_steps_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sign_in_steps
    ADD CONSTRAINT sign_in_steps_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: subscriptions subscriptions_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--


