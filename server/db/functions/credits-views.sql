-- Views of the credit ledger. Applied again when this text changes; CONTRIBUTING.md says how to change one.

-- Which buckets a hold took from: the transfers that took it. Read by credit.spend_held and credit.return_held.
CREATE OR REPLACE VIEW credit.receipt AS
  SELECT user_id, hold_id, bucket_id, amount FROM credit.transfer WHERE dst = 'held';

-- ---------------------------------------------------------------------------------------------------------------------
-- Checks, read by the operator and by tests. Every drift view is empty, always.

-- The counters of a bucket are what its transfers add up to.
CREATE OR REPLACE VIEW credit.bucket_drift AS
  SELECT user_id, bucket_id, place, sum(amount) AS difference
    FROM (SELECT user_id, bucket_id, dst AS place, amount FROM credit.transfer
          UNION ALL
          SELECT user_id, bucket_id, src, -amount FROM credit.transfer
          UNION ALL
          SELECT b.user_id, b.id, counter.place, -counter.amount
            FROM credit.bucket b, LATERAL (VALUES ('issue', -b.amount), ('available', b.available), ('held', b.held),
              ('spent', b.spent), ('expired', b.expired), ('revoked', b.revoked)) AS counter (place, amount)) AS movement
   GROUP BY user_id, bucket_id, place HAVING sum(amount) <> 0;

-- A hold took its cost, and spent or returned all of it or nothing, but for what was charged less; a bucket holds what its open holds took.
CREATE OR REPLACE VIEW credit.hold_drift AS
  SELECT h.user_id, h.id AS hold_id, NULL::bigint AS bucket_id
    FROM credit.hold h LEFT JOIN (
      SELECT user_id, hold_id, sum(amount) FILTER (WHERE dst = 'held') AS taken, sum(amount) FILTER (WHERE dst = 'spent') AS spent,
             sum(amount) FILTER (WHERE dst = 'available') AS returned
        FROM credit.transfer WHERE hold_id IS NOT NULL GROUP BY user_id, hold_id) AS t ON t.user_id = h.user_id AND t.hold_id = h.id
   WHERE (t.taken, t.spent, t.returned) IS DISTINCT FROM
         (h.cost, CASE h.state WHEN 'settled' THEN h.cost END,
          CASE h.state WHEN 'released' THEN h.cost WHEN 'settled' THEN nullif(h.cost - h.charged, 0) END)
  UNION ALL
  SELECT b.user_id, NULL, b.id
    FROM credit.bucket b LEFT JOIN (
      SELECT r.user_id, r.bucket_id, sum(r.amount) AS amount
        FROM credit.receipt r JOIN credit.hold h ON h.user_id = r.user_id AND h.id = r.hold_id AND h.state = 'held'
       GROUP BY r.user_id, r.bucket_id) AS open_hold ON open_hold.user_id = b.user_id AND open_hold.bucket_id = b.id
   WHERE b.held <> coalesce(open_hold.amount, 0);

-- Each balance follows from the one before it, the lines the user sees add up to it, and the last one is what can be spent.
CREATE OR REPLACE VIEW credit.balance_drift AS
  SELECT user_id, id AS transfer_id
    FROM (SELECT user_id, id, balance_after, line_change,
                 sum(CASE 'available' WHEN dst THEN amount WHEN src THEN -amount ELSE 0 END) OVER history AS moved,
                 sum(line_change) OVER history AS reported
            FROM credit.transfer WINDOW history AS (PARTITION BY user_id ORDER BY id)) AS chain
   WHERE balance_after <> moved OR (line_change IS NOT NULL AND balance_after <> reported)
  UNION ALL
  SELECT a.user_id, last.id
    FROM credit.account a
    LEFT JOIN LATERAL (
      SELECT id, balance_after FROM credit.transfer t WHERE t.user_id = a.user_id ORDER BY id DESC LIMIT 1) AS last ON true
   WHERE coalesce(last.balance_after, 0) <>
         (SELECT coalesce(sum(b.available), 0) FROM credit.bucket b WHERE b.user_id = a.user_id);

-- All of them.
CREATE OR REPLACE VIEW credit.drift AS
  SELECT 'bucket' AS kind, user_id, to_jsonb(d) - 'user_id' AS detail FROM credit.bucket_drift d
  UNION ALL
  SELECT 'hold', user_id, to_jsonb(d) - 'user_id' FROM credit.hold_drift d
  UNION ALL
  SELECT 'balance', user_id, to_jsonb(d) - 'user_id' FROM credit.balance_drift d;

-- For the operator: credits of a refunded or disputed grant that were spent before they could be taken back.
CREATE OR REPLACE VIEW credit.unrecovered AS
  SELECT user_id, id AS bucket_id, source_key, payment_key, order_id, revoke_reason AS reason, revoke_target, revoked, expired,
         spent, revoke_target - revoked - expired AS missing
    FROM credit.bucket WHERE held = 0 AND revoke_target - revoked - expired > 0;
