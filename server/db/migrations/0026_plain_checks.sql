-- Each rule of a busy table is a CHECK of its own again, under the name that it always had (decision 42). What each function said
-- was true of every row, so that no row can break one: NOT VALID saves reading the tables under their strictest lock, and `migrate`
-- reads them afterwards under one that lets everybody write.

ALTER TABLE credit.bucket
  DROP CONSTRAINT bucket_rules,
  ADD CONSTRAINT bucket_kind_check CHECK (kind = ANY ('{free,subscription,adjustment}')) NOT VALID,
  ADD CONSTRAINT bucket_source_key_check CHECK (length(source_key) BETWEEN 1 AND 200) NOT VALID,
  ADD CONSTRAINT bucket_payment_key_check CHECK (length(payment_key) BETWEEN 1 AND 200) NOT VALID,
  ADD CONSTRAINT bucket_amount_check CHECK (amount BETWEEN 1 AND 1000000) NOT VALID,
  ADD CONSTRAINT bucket_revoke_reason_check CHECK (revoke_reason ~ '^[a-z][a-z0-9_]{0,39}$') NOT VALID,
  ADD CONSTRAINT bucket_expires_at_check CHECK (isfinite(expires_at)) NOT VALID,
  ADD CONSTRAINT bucket_period CHECK (starts_at < expires_at) NOT VALID,
  ADD CONSTRAINT bucket_never_negative CHECK (least(available, held, spent, expired, revoked) >= 0) NOT VALID,
  ADD CONSTRAINT bucket_conserved CHECK (available + held + spent + expired + revoked = amount) NOT VALID,
  ADD CONSTRAINT bucket_claim_bounded CHECK (revoked <= revoke_target AND revoke_target <= amount) NOT VALID,
  ADD CONSTRAINT bucket_claim_comes_first CHECK (available = 0 OR revoked = revoke_target) NOT VALID,
  ADD CONSTRAINT bucket_claim_has_reason CHECK ((revoke_target = 0) = (revoke_reason IS NULL)) NOT VALID,
  ADD CONSTRAINT bucket_stays_ended CHECK (ended_at IS NULL OR available = 0) NOT VALID;

ALTER TABLE credit.hold
  DROP CONSTRAINT hold_rules,
  ADD CONSTRAINT hold_cost_check CHECK (cost > 0) NOT VALID,
  ADD CONSTRAINT hold_state_check CHECK (state = ANY ('{held,settled,released}')) NOT VALID,
  ADD CONSTRAINT hold_closed_has_time CHECK ((state = 'held') = (closed_at IS NULL)) NOT VALID,
  ADD CONSTRAINT hold_closed_has_reason CHECK ((state = 'held') = (reason IS NULL)) NOT VALID,
  ADD CONSTRAINT hold_note_check CHECK (length(note) BETWEEN 1 AND 80) NOT VALID;

ALTER TABLE credit.transfer
  DROP CONSTRAINT transfer_rules,
  ADD CONSTRAINT transfer_amount_check CHECK (amount > 0) NOT VALID,
  ADD CONSTRAINT transfer_balance_after_check CHECK (balance_after >= 0) NOT VALID,
  ADD CONSTRAINT transfer_reason_check CHECK (reason ~ '^[a-z][a-z0-9_]{0,39}$') NOT VALID,
  ADD CONSTRAINT transfer_move CHECK (src || ' > ' || dst = ANY ('{issue > available, available > held, held > spent,
    held > available, available > expired, available > revoked, revoked > available}')) NOT VALID;

ALTER TABLE messages
  DROP CONSTRAINT messages_rules,
  ADD CONSTRAINT messages_not_own_parent CHECK (parent_id <> id) NOT VALID,
  ADD CONSTRAINT messages_status_check CHECK (status = ANY ('{running,completed,stopped,failed,interrupted}')) NOT VALID,
  ADD CONSTRAINT messages_cost_check CHECK (cost > 0) NOT VALID,
  ADD CONSTRAINT messages_first_text_ms_check CHECK (first_text_ms >= 0) NOT VALID,
  ADD CONSTRAINT messages_content CHECK (content <> '' OR conversation_id IS NULL) NOT VALID,
  ADD CONSTRAINT messages_ended_has_time CHECK ((status = 'running') = (ended_at IS NULL)) NOT VALID,
  ADD CONSTRAINT messages_ended_has_end_event CHECK ((status = 'running') = (end_seq IS NULL)) NOT VALID,
  ADD CONSTRAINT messages_fault_has_code CHECK ((status = ANY ('{failed,interrupted}')) = (error_code IS NOT NULL)) NOT VALID,
  ADD CONSTRAINT messages_completed_is_charged CHECK (status <> 'completed' OR credits_used = cost) NOT VALID,
  ADD CONSTRAINT messages_charge_is_earned CHECK (credits_used = 0
    OR (credits_used = cost AND status = ANY ('{completed,stopped}') AND (response <> '' OR erased_at IS NOT NULL))) NOT VALID,
  ADD CONSTRAINT messages_erased_is_api CHECK
    (erased_at IS NULL OR (conversation_id IS NULL AND status <> 'running')) NOT VALID;

DROP FUNCTION credit.check_bucket, credit.check_hold, credit.check_transfer, check_message, refuse_row;
