-- A period that two charges pay stands while one of them does, whichever is told or given back first. So what was taken back for one
-- charge is given back when another turns out to pay for the same period.

-- As in 0018, with the way back.
CREATE OR REPLACE FUNCTION credit.check_transfer(t credit.transfer) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  v_broken text := CASE
    WHEN NOT t.amount > 0 THEN 'transfer_amount_check'
    WHEN NOT t.balance_after >= 0 THEN 'transfer_balance_after_check'
    WHEN NOT t.src || ' > ' || t.dst = ANY ('{
      issue > available, available > held, held > spent, held > available, available > expired, available > revoked,
      revoked > available}')
      THEN 'transfer_move'
    WHEN NOT t.reason ~ '^[a-z][a-z0-9_]{0,39}$' THEN 'transfer_reason_check'
  END;
BEGIN
  RETURN v_broken IS NULL OR public.refuse_row('transfer', v_broken);
END $$;

-- Lowers what is to be taken back of a grant to p_total, and gives back what was taken beyond that; what is over expires at once.
CREATE FUNCTION credit.restore_credits(p_user uuid, p_payment_key text, p_total integer, p_at timestamptz,
  OUT given integer, OUT balance integer)
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v_account account;
  v_at      timestamptz;
  v_bucket  bucket;
  v_lapsed  integer;
BEGIN
  SELECT * INTO STRICT v_account FROM account WHERE user_id = p_user FOR NO KEY UPDATE;
  v_at := coalesce(p_at, clock_timestamp());
  balance := book_expiry(p_user, v_at);
  given := 0;
  SELECT * INTO v_bucket FROM bucket WHERE user_id = p_user AND payment_key = p_payment_key;
  IF NOT FOUND OR p_total >= v_bucket.revoke_target THEN
    RETURN;
  END IF;
  given := greatest(0, v_bucket.revoked - p_total);
  v_lapsed := CASE WHEN v_bucket.ended_at IS NULL THEN 0 ELSE given END;
  UPDATE bucket SET revoke_target = p_total, revoke_reason = CASE WHEN p_total > 0 THEN revoke_reason END,
                    revoked = revoked - given, available = available + given - v_lapsed, expired = expired + v_lapsed
   WHERE id = v_bucket.id;
  IF given > 0 THEN
    INSERT INTO transfer (user_id, bucket_id, src, dst, amount, line_change, balance_after, reason, at)
    VALUES (p_user, v_bucket.id, 'revoked', 'available', given, given, balance + given, 'restored', v_at);
  END IF;
  balance := take_back(p_user, v_bucket.id, 'expired', v_lapsed, balance + given, 'expired', v_at);
END $$;
