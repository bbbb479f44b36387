-- A message may be more than text, and may cost more than its model's price (decisions 65 and 66). What is text alone has nulls.

ALTER TABLE messages ADD COLUMN input jsonb, ADD COLUMN output jsonb, ADD COLUMN kept text;
ALTER TABLE messages
  DROP CONSTRAINT messages_charge_is_earned,
  ADD CONSTRAINT messages_charge_is_earned CHECK (credits_used = 0 OR credits_used > 0 AND credits_used <= cost
    AND (status = ANY ('{completed,stopped}'::text[])) AND (response <> '' OR output IS NOT NULL OR erased_at IS NOT NULL)) NOT VALID,
  DROP CONSTRAINT messages_completed_is_charged,
  ADD CONSTRAINT messages_completed_is_charged CHECK (status <> 'completed' OR credits_used > 0) NOT VALID;

ALTER TABLE credit.hold ADD COLUMN charged integer, ADD COLUMN lines jsonb;
ALTER TABLE credit.hold
  ADD CONSTRAINT hold_charged CHECK (charged IS NULL OR state = 'settled' AND charged > 0 AND charged <= cost) NOT VALID;

ALTER TABLE credit.transfer
  DROP CONSTRAINT transfer_move,
  ADD CONSTRAINT transfer_move CHECK (src || ' > ' || dst = ANY ('{"issue > available","available > held","held > spent","held > available","spent > available","available > expired","available > revoked","revoked > available"}'::text[])) NOT VALID;
