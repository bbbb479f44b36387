-- Tables and columns are called as the code and docs/glossary.md call them. No row changes.

-- ---------------------------------------------------------------------------------------------------------------------
-- Facts: the external refs in them, whether these are ambiguous, and when they were observed.

ALTER TABLE billing.facts RENAME COLUMN leads TO external_refs;
ALTER TABLE billing.facts RENAME COLUMN is_torn TO is_ambiguous;
ALTER TABLE billing.facts RENAME COLUMN told_at TO observed_at;
ALTER INDEX billing.facts_of_nobody RENAME TO facts_unattributed_refs;
ALTER INDEX billing.facts_unplaced RENAME TO facts_unattributed;

ALTER TABLE billing.handles RENAME TO external_refs;
ALTER TABLE billing.external_refs RENAME CONSTRAINT handles_pkey TO external_refs_pkey;
ALTER TABLE billing.external_refs RENAME CONSTRAINT handles_user_id_fkey TO external_refs_user_id_fkey;
ALTER TABLE billing.external_refs RENAME CONSTRAINT handles_kind_check TO external_refs_kind_check;
ALTER TABLE billing.external_refs RENAME CONSTRAINT handles_provider_check TO external_refs_provider_check;
ALTER INDEX billing.handles_of_user RENAME TO external_refs_of_user;

-- ---------------------------------------------------------------------------------------------------------------------
-- When a provider is asked about a user, and the content of a webhook.

ALTER TABLE billing.askings RENAME TO polls;
ALTER TABLE billing.polls RENAME CONSTRAINT askings_pkey TO polls_pkey;
ALTER TABLE billing.polls RENAME CONSTRAINT askings_user_id_fkey TO polls_user_id_fkey;
ALTER TABLE billing.polls RENAME CONSTRAINT askings_provider_check TO polls_provider_check;
ALTER INDEX billing.askings_due RENAME TO polls_due;

ALTER TABLE billing.inbox RENAME COLUMN told_digest TO content_digest;
ALTER TABLE billing.inbox RENAME CONSTRAINT inbox_told_digest_check TO inbox_content_digest_check;
ALTER INDEX billing.inbox_told RENAME TO inbox_content;

-- ---------------------------------------------------------------------------------------------------------------------
-- Deletions of accounts. functions/accounts.sql brings the triggers back, named by what they do.

ALTER TABLE departures RENAME TO deletions;
ALTER TABLE deletions RENAME CONSTRAINT departures_pkey TO deletions_pkey;
ALTER TABLE deletions RENAME CONSTRAINT departures_user_id_fkey TO deletions_user_id_fkey;
ALTER INDEX departures_due RENAME TO deletions_due;
ALTER TABLE users RENAME CONSTRAINT users_deleted_is_nobody TO users_deleted_has_no_name;

DROP TRIGGER sessions_of_nobody ON sessions;
DROP TRIGGER identities_of_nobody ON identities;
DROP TRIGGER api_keys_of_nobody ON api_keys;
DROP TRIGGER second_factors_of_nobody ON second_factors;
DROP TRIGGER enrolments_of_nobody ON enrolments;
DROP TRIGGER passkeys_of_nobody ON passkeys;
DROP TRIGGER sign_in_steps_of_nobody ON sign_in_steps;
DROP TRIGGER pictures_of_nobody ON pictures;
DROP TRIGGER exports_of_nobody ON exports;
DROP TRIGGER orders_of_nobody ON billing.orders;

-- ---------------------------------------------------------------------------------------------------------------------
-- A counter of TOTP is no sign-in step, and what a bucket has to give back is no claim.

ALTER TABLE second_factors RENAME COLUMN last_step TO totp_counter;

ALTER TABLE credit.bucket RENAME CONSTRAINT bucket_claim_bounded TO bucket_revoke_bounded;
ALTER TABLE credit.bucket RENAME CONSTRAINT bucket_claim_comes_first TO bucket_revoke_comes_first;
ALTER TABLE credit.bucket RENAME CONSTRAINT bucket_claim_has_reason TO bucket_revoke_has_reason;
