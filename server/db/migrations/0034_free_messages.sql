-- The table of free messages is called so; `unanswered` named both all of them and those that the user ended. No row changes.

ALTER TABLE unanswered RENAME TO free_messages;
ALTER TABLE free_messages RENAME COLUMN messages TO ended_by_user;
ALTER TABLE free_messages RENAME CONSTRAINT unanswered_place TO free_messages_place;
ALTER TABLE free_messages RENAME CONSTRAINT unanswered_messages TO free_messages_ended_by_user;
ALTER TABLE free_messages RENAME CONSTRAINT unanswered_uncharged TO free_messages_uncharged;
ALTER TABLE free_messages RENAME CONSTRAINT unanswered_user_id_fkey TO free_messages_user_id_fkey;
ALTER TABLE free_messages RENAME CONSTRAINT unanswered_key_id_fkey TO free_messages_key_id_fkey;
ALTER INDEX unanswered_age RENAME TO free_messages_age;
