-- What tables and columns hold, where their names do not say it; schema.sql shows it. Applied again when this text changes.

-- Accounts.
COMMENT ON TABLE users IS 'The row of a deleted account stays without a name or an address, for its ledger and its payments (decision 22).';
COMMENT ON COLUMN users.language IS 'In which mails are written.';
COMMENT ON COLUMN users.address_hash IS 'Keyed hash of the mailbox (normalise-email.ts).';
COMMENT ON COLUMN users.free_withheld IS 'Why no free month is given; when it is null again, the month that runs then is given.';
COMMENT ON COLUMN users.domain_hash IS 'Null where the service behind the address is known.';
COMMENT ON COLUMN users.domain_per_day IS 'Free months that the domain is given a day.';
COMMENT ON COLUMN users.taken_over_at IS 'Set when a mailbox was proved by someone who may not have opened the account.';
COMMENT ON COLUMN users.network_hash IS 'Keyed hash of the network of the sign-up; null where the address was proved there. It says nothing once the address is proved.';
COMMENT ON COLUMN users.network_per_day IS 'Free months a day that the network is given for unproved accounts.';
COMMENT ON COLUMN users.leaving_at IS 'The user asked for the deletion; there is no way back.';
COMMENT ON TABLE sessions IS 'One browser that is signed in. Only its cookie holds the signature of the token.';
COMMENT ON COLUMN sessions.used_at IS 'Last use, to within some minutes.';
COMMENT ON COLUMN sessions.confirmed_at IS 'The last fresh proof of who sits there; signing in is one.';
COMMENT ON TABLE identities IS 'One way a user signs in: a password (provider credential) or Google.';
COMMENT ON TABLE verifications IS 'One-time proofs: of an address, of a password reset, of a sign-in under way.';
COMMENT ON COLUMN verifications.sent_to IS 'The address that the link went to; null: it is about a change of address, or was not mailed.';
COMMENT ON TABLE rate_limits IS 'How often something was tried in the window that began at started_at; the key names what and who.';
COMMENT ON TABLE second_factors IS 'The second factor of the user is on.';
COMMENT ON COLUMN second_factors.secret IS 'Sealed, see seal-secret.ts.';
COMMENT ON COLUMN second_factors.totp_counter IS 'The newest 30 seconds of which a code was used: a code is good once.';
COMMENT ON COLUMN second_factors.recovery_memory_kib IS 'Memory in KiB with which the recovery codes were hashed; null: that of the setting.';
COMMENT ON TABLE enrolments IS 'A second factor that is being set up; it counts once a code has shown that the app has it.';
COMMENT ON TABLE recovery_codes IS 'The recovery codes that are left: argon2id under second_factors.recovery_salt.';
COMMENT ON COLUMN passkeys.synced IS 'It is on more than one device of the user.';
COMMENT ON TABLE passkey_challenges IS 'What a passkey signs, once, for one purpose and one session, step or browser (bound_to).';
COMMENT ON TABLE sign_in_steps IS 'A sign-in of which the first factor was right; its browser has the token.';
COMMENT ON TABLE trusted_browsers IS 'Browsers that a user signed in from: failed tries of strangers do not count for them (OWASP device cookies).';
COMMENT ON COLUMN trusted_browsers.hash IS 'SHA-256 of the token in the device cookie of the browser.';
COMMENT ON COLUMN trusted_browsers.signed_in IS 'False: the browser opened a link of a mail and has not signed in since.';
COMMENT ON TABLE known_devices IS 'From where a user signed in: a kind of browser in a network. Another one is a reason for a mail.';
COMMENT ON TABLE email_changes IS 'One change of address under way a user. It happens once the old and the new address have confirmed.';
COMMENT ON TABLE pictures IS 'The picture of a user as WebP; its address names its hash, so that it never changes.';
COMMENT ON COLUMN pictures.hash IS 'SHA-256 of the image, base64url.';
COMMENT ON TABLE api_keys IS 'Personal keys of the API.';
COMMENT ON COLUMN api_keys.prefix IS 'What a list shows of the key.';
COMMENT ON COLUMN api_keys.hash IS 'SHA-256 of the key.';
COMMENT ON COLUMN api_keys.models IS 'Null: every model of the plan.';
COMMENT ON COLUMN api_keys.monthly_cap IS 'Credits a calendar month in UTC.';
COMMENT ON COLUMN api_keys.allowed_addresses IS 'CIDR; null: from everywhere.';
COMMENT ON TABLE address_grants IS 'Until when the last free month lives that any account of the mailbox was given. It outlives the account.';
COMMENT ON TABLE domain_grants IS 'Free months given a day to a domain at which mailboxes can be opened at will.';
COMMENT ON TABLE network_grants IS 'Free months of a day for accounts of one network that have not proved their address.';
COMMENT ON TABLE deletions IS 'What is left to be done until an account is deleted; also the queue of that job.';
COMMENT ON COLUMN deletions.error IS 'What it waits for.';
COMMENT ON TABLE exports IS 'The data of a user as one ZIP; also the queue of the job that makes it. It goes a week after it was made, or when a newer one is ready.';
COMMENT ON COLUMN export_chunks.try IS 'Which attempt wrote it: an attempt that was given up and goes on cannot mix into the next.';
COMMENT ON TABLE mails IS 'One mail that goes out once; its id is its Message-ID. It is composed when it is sent (decision 18).';
COMMENT ON COLUMN mails.key IS 'Names the fact that the mail is about.';
COMMENT ON COLUMN mails.params IS 'Emptied when the mail is done.';
COMMENT ON COLUMN mails.user_id IS 'Whose it is, where the address is not the user''s any more, or not yet; it is deleted with the user.';

-- Credits.
COMMENT ON TABLE credit.account IS 'One row a user, and the only lock. It holds no balance: what can be spent is the sum of the buckets.';
COMMENT ON COLUMN credit.account.free_anchor IS 'Free months are counted from here.';
COMMENT ON COLUMN credit.account.free_paused_until IS 'No free month begins before this moment: a plan is paid, or its renewal may still arrive.';
COMMENT ON COLUMN credit.account.free_taken_until IS 'No free month until then, for the reason in free_taken_by.';
COMMENT ON COLUMN credit.account.free_taken_by IS 'Another account of the mailbox has the month, or the months of the day are given to its domain.';
COMMENT ON COLUMN credit.account.closed_at IS 'Nothing is spent or granted any more.';
COMMENT ON TABLE credit.bucket IS 'One grant. Its counters say where its credits are now; they always add up to the amount.
No index names a counter, so that taking and closing holds stay heap-only updates. The second predicate of bucket_due is true of
every row: it keeps the planner from walking that index for one user while the statistics are young.';
COMMENT ON COLUMN credit.bucket.revoke_target IS 'What is to be taken back in all; revoked follows as credits come back.';
COMMENT ON COLUMN credit.bucket.ended_at IS 'When its expiry was booked.';
COMMENT ON TABLE credit.hold IS 'One priced message; its id is the id of the message, so the primary key proves that a message is charged once. With of_hold: more steps of that message, by the id of the confirmation that allowed them.';
COMMENT ON COLUMN credit.hold.charged IS 'What stays spent of a settled hold; null: all of it.';
COMMENT ON COLUMN credit.hold.lines IS 'What it was spent for, as [{kind, credits}, …]; null: for the message alone.';
COMMENT ON COLUMN credit.hold.note IS 'The name that the API key had.';
COMMENT ON TABLE credit.transfer IS 'Append-only. Each row moves credits of one bucket from src to dst.
Rows of one operation that the user sees as one line carry the whole change of the line on their last row only; rows that the
user does not see carry none. A hold takes from a bucket once and gives it back or spends it once (transfer_hold_once).';
COMMENT ON TABLE credit.checked IS 'What the transfers of a bucket added up to when its account was last checked: up to transfer_id (decision 54).';
COMMENT ON TABLE credit.checking IS 'How far the ledger is checked: the transfers up to checked_to. The next ones are up to until, the newest at noted_at.';

-- Billing.
COMMENT ON TABLE billing.account IS 'One row a user who ever began a checkout: the lock under which facts are read and projected.
Lock order: this row, then credit.account.';
COMMENT ON COLUMN billing.account.cleared_disputes IS 'Charges under dispute that an operator cleared, by payment key.';
COMMENT ON COLUMN billing.account.disputed IS 'A dispute is open: no new checkout.';
COMMENT ON COLUMN billing.account.next_change_at IS 'When time alone changes the projection next.';
COMMENT ON TABLE billing.orders IS 'One purchase as it was offered. Its terms never change; status and paid_at are projected.
orders_open_once: a second click or a second tab finds the open order for the same thing.';
COMMENT ON COLUMN billing.orders.checkout_id IS 'What the provider answered; null until it did.';
COMMENT ON COLUMN billing.orders.confirming IS 'Open, but a payment follows as far as the provider said. Projected.';
COMMENT ON COLUMN billing.orders.buyer_email IS 'What the provider was given at the checkout, in lower case. It goes with the account.';
COMMENT ON TABLE billing.inbox IS 'Webhooks as they came, signature checked, bytes untouched: also the queue of the job that reads them.';
COMMENT ON COLUMN billing.inbox.content_digest IS 'What it said, once it is done: the same under another id has nothing to add.';
COMMENT ON COLUMN billing.inbox.error IS 'Why it failed last, or what in it was not understood.';
COMMENT ON COLUMN billing.inbox.user_id IS 'Whom it concerned: it goes with the user.';
COMMENT ON TABLE billing.facts IS 'All that providers said, each thing once: by webhook, by an answer to a question, by their lists.';
COMMENT ON COLUMN billing.facts.user_id IS 'Null while no id in it leads to one of our users, or when they lead to several (is_ambiguous).';
COMMENT ON COLUMN billing.facts.external_refs IS 'The ids in it that lead to a user, as kind:id; empty for what was not understood.';
COMMENT ON TABLE billing.external_refs IS 'Which user an id of a provider leads to.';
COMMENT ON TABLE billing.cancellations IS 'Subscriptions that must not be charged again, until their provider confirms it.';
COMMENT ON TABLE billing.audit IS 'What an operator did. Append-only (audit_is_final).';
COMMENT ON COLUMN billing.audit.actor IS 'The address of an operator at that time, or who used the command line.';
COMMENT ON COLUMN billing.audit.act_id IS 'Chosen by who asked for the act: the same id again is the same act.';
COMMENT ON COLUMN billing.audit.operator_id IS 'Null: done at the command line.';
COMMENT ON TABLE operators IS 'Users who may use the console. Given and taken by the command line.';
COMMENT ON TABLE model_prices IS 'What operators set a message to cost, each from a day on, UTC; a day at least an hour ahead when it is set.';
COMMENT ON TABLE paused_models IS 'Models that an operator paused: send_message and send_api_message refuse new messages to them.';
COMMENT ON TABLE billing.proposals IS 'Acts above the limit of one operator: another one agrees to them or refuses them.';
COMMENT ON COLUMN billing.proposals.decision IS 'Null: it waits. Agreed and without a line in the audit log: it was cut off, and waits as well.';
COMMENT ON TABLE billing.polls IS 'When one provider is asked next about one user.';
COMMENT ON COLUMN billing.polls.asked_times IS 'How often nothing new was answered in a row.';
COMMENT ON TABLE billing.reviews IS 'When the list of the charges of a provider is read next: its new rows, those of two weeks, all of them.';
COMMENT ON COLUMN billing.reviews.read_to IS 'When the last one began that came to its end: what is older was read.';
COMMENT ON TABLE billing.uncredited IS 'Charges that were paid and grant nothing: an operator has to look. One row for each charge.';
COMMENT ON COLUMN billing.uncredited.user_id IS 'Null: unattributed.';
COMMENT ON COLUMN billing.uncredited.amount_minor IS 'Minor units, gross; null: unknown.';
COMMENT ON COLUMN billing.uncredited.alert_at IS 'When the operator is alerted; what may still be completed waits a little.';
COMMENT ON TABLE billing.plan_wishes IS 'The plan that a user wants from the end of the paid period on. Nothing is charged for it.';
COMMENT ON COLUMN billing.plan_wishes.order_id IS 'The order whose subscription ends for it.';
COMMENT ON TABLE subscriptions IS 'The plan a user is on now, projected: what sending a message reads.';
COMMENT ON COLUMN subscriptions.expires_at IS 'Until when it is paid.';
COMMENT ON COLUMN subscriptions.access_until IS 'When the plan stops being usable, later by the grace where it renews; null: as expires_at.';
COMMENT ON TABLE billing.order_mailboxes IS 'Mailboxes that an account proved when it ordered or since: a dispute follows each of them (decision 46).';

-- Files.
COMMENT ON TABLE files IS 'A file of a user. An upload belongs to no conversation until a message names it, and goes when it expires before.';
COMMENT ON COLUMN files.message_id IS 'The message for whose answer it was made; null: it was uploaded, or kept.';
COMMENT ON COLUMN files.kept_of IS 'The message from whose browser its user kept it; null: it was uploaded or made.';
COMMENT ON COLUMN files.kept_what IS 'What was kept, such as picture:3: it is kept once.';
COMMENT ON COLUMN files.keeps_place IS 'Chosen with the upload: a picture keeps what it says of the place where it was taken.';
COMMENT ON COLUMN files.bytes IS 'Its length: as announced, then as stored.';
COMMENT ON COLUMN files.storage IS 'Where its content is; what was found in it is always in the database.';
COMMENT ON COLUMN files.every_turn IS 'Read again in each turn of its conversation.';
COMMENT ON COLUMN files.error_code IS 'Why it cannot be read, in contract/errors.ts.';
COMMENT ON COLUMN files.turn IS 'Files wait to be read in this order: the first of each user, then the second of each.';
COMMENT ON COLUMN files.next_try_at IS 'When it is read next, or when the lease of its reader ends.';
COMMENT ON COLUMN files.error IS 'Why the last try to read it failed on our side.';
COMMENT ON TABLE file_chunks IS 'The bytes of a file and of what was found in it, in pieces one after the other.';
COMMENT ON COLUMN files.text_bytes IS 'The length of the text that was found in it.';
COMMENT ON COLUMN files.named_at IS 'When a message first named it; null: none did, or one of before this column.';
COMMENT ON COLUMN files.named_n IS 'Its place in that message.';
COMMENT ON TABLE file_usage IS 'What the files of a user take: the longer one of each file and its text. Moved by triggers.';
COMMENT ON COLUMN file_chunks.object IS 'The name of the piece in S3, which begins with the id of the file; null: it is in bytes.';
COMMENT ON TABLE file_copies IS 'Copies that a model provider keeps for us, by its project.';
COMMENT ON TABLE file_removals IS 'What lies outside and must be deleted, until that is done.';
COMMENT ON COLUMN file_removals.target IS 'The beginning of the names of objects in S3, or the provider''s name of a copy.';

-- Chat.
COMMENT ON COLUMN conversations.folded_title IS 'The title as search compares it.';
COMMENT ON COLUMN conversations.title_source IS 'Who gave the title: the first words of the first prompt, the model, or the user.';
COMMENT ON COLUMN conversations.title_asked_at IS 'When a model was asked for a title: once in its life (decision 58).';
COMMENT ON COLUMN conversations.deleted_at IS 'Deleted by its user; removed when the time for undo is over.';
COMMENT ON TABLE messages IS 'One exchange: a prompt and its answer. A request of the API is one without a conversation (decision 16).
Any page of a branch is read by ranges of depth in chains (decision 41).';
COMMENT ON COLUMN messages.owner IS 'The instance that generates the answer.';
COMMENT ON COLUMN messages.end_seq IS 'The number of the end event.';
COMMENT ON COLUMN messages.first_text_ms IS 'From the send to the first text.';
COMMENT ON COLUMN messages.erased_at IS 'The answer was erased: no request can ask for it again.';
COMMENT ON COLUMN messages.finish_reason IS 'Why the model stopped writing; null where the provider did not say.';
COMMENT ON COLUMN messages.input IS 'What was sent besides text: parts, options, and the quote. Null: text alone.';
COMMENT ON COLUMN messages.output IS 'What the answer is besides text: parts, what was charged for, and what went wrong. Null: text alone.';
COMMENT ON COLUMN messages.kept IS 'The parts as the provider wrote them, for the model that did (kept-parts.ts). Null: text says it all.';
COMMENT ON COLUMN messages.depth IS 'The number of messages above it.';
COMMENT ON COLUMN messages.chain_id IS 'The first child goes on in the chain of its parent; every other message begins one, under its own id.';
COMMENT ON COLUMN messages.fork_of IS 'Of the first message of a chain: the chain that its parent is in.';
COMMENT ON TABLE message_events IS 'The event log of running answers: one row for each flush, events first_seq to last_seq as [[type, data], …].
A buffer with a life of about an hour, written several times a second: no foreign key, no index that moves with time.';
COMMENT ON TABLE instances IS 'One start of the server process. It is alive while it was seen within the lease; it owns its messages for as long.';
COMMENT ON TABLE search_queue IS 'Ended messages that search has not counted yet, nor stored where it stores.';
COMMENT ON TABLE search_texts IS 'The text of an ended message as search compares it: NFKC, lower case, one space for every blank; the prompt first. Of users with many.';
COMMENT ON TABLE search_users IS 'How the texts of a user are searched (decision 126): read, from the messages; indexed, by what is stored; read as well while storing. Of former versions: scanned, as read, and filling, as storing.';
COMMENT ON COLUMN search_users.texts IS 'Texts written so far, a long one several times; a rewritten text counts again. Never decreases.';
COMMENT ON TABLE search_index IS 'The texts of users with many, by what they can be found by.';
COMMENT ON COLUMN search_index.slots IS 'Numbers of the pieces of the text (decision 17).';
COMMENT ON TABLE api_key_months IS 'What the requests of a key that were let in in a month hold and have spent: what its monthly cap is compared with. Moved by triggers; missing until the first that was counted.';
COMMENT ON COLUMN api_key_months.month IS 'Its first day (UTC).';
COMMENT ON TABLE api_requests IS 'One call of /v1/chat/completions that was let in.';
COMMENT ON COLUMN api_requests.key_id IS 'Null: made by the user on the API page.';
COMMENT ON COLUMN api_requests.prompt_tokens IS 'Our estimate, for providers that do not count.';
COMMENT ON COLUMN api_requests.is_fresh IS 'It was not yet decided whether to keep the answer.';
COMMENT ON TABLE provider_costs IS 'What each answer cost at its provider (decision 90). It has no text, and stays with the nameless row of a deleted account.';
COMMENT ON COLUMN provider_costs.kind IS 'The answer, or what was written beside it: its conversation''s title, follow-up questions.';
COMMENT ON COLUMN provider_costs.at IS 'The end of the answer.';
COMMENT ON COLUMN provider_costs.model IS 'Of the message, also where another model wrote beside it.';
COMMENT ON COLUMN provider_costs.plan_key IS 'The plan that the user had then; null: none.';
COMMENT ON COLUMN provider_costs.features IS 'What the answer used besides its model: api, code, computer, files, picture, search.';
COMMENT ON COLUMN provider_costs.credits IS 'What the message was charged.';
COMMENT ON COLUMN provider_costs.provider IS 'The host that was asked last; null: none did any work, or it is not known which one.';
COMMENT ON COLUMN provider_costs.uses IS 'What was consumed, a line for each provider, model and size of pictures, each with the price that it was reckoned by.';
COMMENT ON COLUMN provider_costs.price_day IS 'The day from which the price of the last line holds; 1970-01-01: MODELS_FILE says it, without a day.';
COMMENT ON COLUMN provider_costs.is_estimate IS 'Tokens of it are estimated: the provider did not report them.';
COMMENT ON COLUMN provider_costs.cost_pico_usd IS 'US dollars times 10^12; null: not known.';
COMMENT ON COLUMN provider_costs.unknown IS 'Why the cost is not known: price, picture_price, search_price, usage.';
COMMENT ON TABLE free_messages IS 'Free messages of a day (UTC): they ended without an answer, or their question broke it, and cost nothing, although a provider was asked (decisions 50 and 149).';
COMMENT ON COLUMN free_messages.key_id IS 'The API key that sent them; null: the user in a browser.';
COMMENT ON COLUMN free_messages.ended_by_user IS 'The unanswered ones: the provider had begun, and the user ended them. UNANSWERED_LIMIT bounds them.';
COMMENT ON COLUMN free_messages.uncharged IS 'All of them. UNCHARGED_LIMIT bounds them.';

-- The schema itself.
COMMENT ON TABLE schema_migrations IS 'The migrations that this database has.';
COMMENT ON TABLE schema_functions IS 'The texts of server/db/functions as they were applied last.';

-- Computer Use.
COMMENT ON TABLE computer_runs IS 'A message whose model drives a browser, while it runs; one a user (decision 78).';
COMMENT ON COLUMN computer_runs.control IS 'What the user wants: that it goes on, waits, or lets them act.';
COMMENT ON COLUMN computer_runs.place IS 'How many runs are before it in the queue of its process, itself included.';
COMMENT ON COLUMN computer_runs.until IS 'When it ends by itself while it waits for its user.';
COMMENT ON TABLE computer_confirmations IS 'What a run asked its user, and the answer.';
COMMENT ON TABLE computer_frames IS 'The newest picture of a run, while a process watches that does not have the run. In no log and no backup: it shows what a user types.';
COMMENT ON COLUMN credit.hold.of_hold IS 'The hold of the message that this one took more for.';

-- Alerts.
COMMENT ON TABLE operator_alerts IS 'What needs the operator, from the first look that found it until a look finds it no more.';
COMMENT ON COLUMN operator_alerts.seen_at IS 'The last look that found it.';
COMMENT ON COLUMN operator_alerts.sent IS 'How often it was sent since it was raised.';
COMMENT ON COLUMN operator_alerts.next_send_at IS 'When it is sent next; null: never, it is over.';
