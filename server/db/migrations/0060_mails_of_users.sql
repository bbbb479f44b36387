-- Whose a mail is that went to an address which the account has no more, or only asked for: it is deleted with the account.
ALTER TABLE mails ADD COLUMN user_id uuid;
UPDATE mails m SET user_id = c.user_id FROM email_changes c WHERE m.key = 'email_change_new:' || c.id;
-- Both sides of a change are told; whoever has the new address had the old one, if nobody has that since. Again for those before it.
DO $$
BEGIN
  LOOP
    UPDATE mails m SET user_id = coalesce(told.user_id, u.id)
      FROM mails old
           JOIN mails told ON told.key = left(old.key, -4) || ':new'
           LEFT JOIN users u ON u.email = told.to_address
     WHERE old.key LIKE 'email\_changed:%:old' AND m.to_address = old.to_address
       AND m.user_id IS NULL AND coalesce(told.user_id, u.id) IS NOT NULL
       AND NOT EXISTS (SELECT FROM users WHERE email = old.to_address);
    EXIT WHEN NOT FOUND;
  END LOOP;
END $$;
CREATE INDEX mails_of_users ON mails (user_id) WHERE user_id IS NOT NULL;
