-- PostgreSQL reads the stored form of every CHECK anew for each statement, and there every name and operator takes a line. Here one
-- function for each table says the same rules under the same names, and in their order as before: the stored form of a call is short,
-- and a connection compiles the function once.

-- Refuses a row as PostgreSQL does.
CREATE FUNCTION refuse_row(p_table text, p_rule text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'new row for relation "%" violates check constraint "%"', p_table, p_rule
    USING ERRCODE = 'check_violation', TABLE = p_table, CONSTRAINT = p_rule;
END $$;

CREATE FUNCTION credit.check_bucket(b credit.bucket) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
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
END $$;

ALTER TABLE credit.bucket
  DROP CONSTRAINT bucket_kind_check,
  DROP CONSTRAINT bucket_source_key_check,
  DROP CONSTRAINT bucket_payment_key_check,
  DROP CONSTRAINT bucket_amount_check,
  DROP CONSTRAINT bucket_revoke_reason_check,
  DROP CONSTRAINT bucket_expires_at_check,
  DROP CONSTRAINT bucket_period,
  DROP CONSTRAINT bucket_never_negative,
  DROP CONSTRAINT bucket_conserved,
  DROP CONSTRAINT bucket_claim_bounded,
  DROP CONSTRAINT bucket_claim_comes_first,
  DROP CONSTRAINT bucket_claim_has_reason,
  DROP CONSTRAINT bucket_stays_ended,
  ADD CONSTRAINT bucket_rules CHECK (credit.check_bucket(bucket));

CREATE FUNCTION credit.check_hold(h credit.hold) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
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

ALTER TABLE credit.hold
  DROP CONSTRAINT hold_cost_check,
  DROP CONSTRAINT hold_state_check,
  DROP CONSTRAINT hold_closed_has_time,
  DROP CONSTRAINT hold_closed_has_reason,
  DROP CONSTRAINT hold_note_check,
  ADD CONSTRAINT hold_rules CHECK (credit.check_hold(hold));

CREATE FUNCTION credit.check_transfer(t credit.transfer) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
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
END $$;

ALTER TABLE credit.transfer
  DROP CONSTRAINT transfer_amount_check,
  DROP CONSTRAINT transfer_balance_after_check,
  DROP CONSTRAINT transfer_reason_check,
  DROP CONSTRAINT transfer_move,
  ADD CONSTRAINT transfer_rules CHECK (credit.check_transfer(transfer));

-- Takes the columns, not the row, which would have to be put together with all of its texts.
CREATE FUNCTION check_message(p_id uuid, p_parent uuid, p_conversation uuid, p_status text, p_cost integer,
  p_credits_used integer, p_first_text_ms integer, p_content text, p_response text, p_error_code text, p_end_seq integer,
  p_ended_at timestamptz, p_erased_at timestamptz)
RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
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

ALTER TABLE messages
  DROP CONSTRAINT messages_not_own_parent,
  DROP CONSTRAINT messages_status_check,
  DROP CONSTRAINT messages_cost_check,
  DROP CONSTRAINT messages_first_text_ms_check,
  DROP CONSTRAINT messages_content,
  DROP CONSTRAINT messages_ended_has_time,
  DROP CONSTRAINT messages_ended_has_end_event,
  DROP CONSTRAINT messages_fault_has_code,
  DROP CONSTRAINT messages_completed_is_charged,
  DROP CONSTRAINT messages_charge_is_earned,
  DROP CONSTRAINT messages_erased_is_api,
  ADD CONSTRAINT messages_rules CHECK (check_message(id, parent_id, conversation_id, status, cost, credits_used, first_text_ms,
    content, response, error_code, end_seq, ended_at, erased_at));
