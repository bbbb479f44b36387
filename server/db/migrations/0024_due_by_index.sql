-- What a job looks for is found by an index, so that a look costs nothing where nothing is due.

-- The lines of a ledger that are not charges: few among many, read by their kind.
CREATE INDEX transfer_other_lines ON credit.transfer (user_id, src, dst, id) WHERE line_change IS NOT NULL AND dst <> 'held';

-- Books what has expired of at most p_limit buckets, the longest expired first; who is busy is left for the next time.
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
