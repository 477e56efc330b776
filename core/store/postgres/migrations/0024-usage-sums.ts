import type { Migration } from '../../migration.ts';

/**
 * What the migration of this number does to the file of SQLite. The sums are of BIGINT again.
 */
export const usageSums: Migration = {
  version: 24,
  name: 'usage-sums',
  sql: `
    CREATE TABLE usage_sums (
      paymaster_id text COLLATE "C" NOT NULL,
      dimension text COLLATE "C" NOT NULL CHECK (dimension IN ('day', 'sender', 'contract', 'method', 'token')),
      span_days bigint NOT NULL CHECK (span_days IN (1, 7)),
      day bigint NOT NULL CHECK (day % (86400 * span_days) = 0),
      key text COLLATE "C" NOT NULL,
      signed bigint NOT NULL CHECK (signed >= 0),
      quoted bigint NOT NULL CHECK (quoted >= 0),
      stub bigint NOT NULL CHECK (stub >= 0),
      refused bigint NOT NULL CHECK (refused >= 0),
      landed bigint NOT NULL CHECK (landed >= 0),
      charge text COLLATE "C" NOT NULL CHECK (length(charge) = 40),
      priced bigint NOT NULL CHECK (priced BETWEEN 0 AND landed),
      usd_micros bigint NOT NULL CHECK (usd_micros >= 0),
      PRIMARY KEY (paymaster_id, dimension, span_days, day, key)
    );
    WITH kept AS MATERIALIZED (
      SELECT decision.paymaster_id, decision.created_at - decision.created_at % 86400 AS day, decision.outcome,
        decision.sender, decision.token, (regexp_replace(decision.record, '\\\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\\\\ufffd', 'g')::json #> '{facts,calls}')::text AS calls,
        hold.hold_id IS NOT NULL AS landed, hold.charge, hold.charge_usd
      FROM decisions AS decision
      LEFT JOIN holds AS hold ON hold.hold_id = decision.hold_id AND hold.state = 'settled' AND decision.outcome = 'signed'
        AND NOT EXISTS (
          SELECT 1 FROM decisions AS later WHERE later.hold_id = decision.hold_id
            AND later.decision_number > decision.decision_number AND later.outcome = 'signed'
        )
    ), keyed AS (
      SELECT kept.*, 'day' AS dimension, '' AS key FROM kept
      UNION ALL SELECT kept.*, 'sender', coalesce(sender, 'none') FROM kept
      UNION ALL SELECT kept.*, 'token', coalesce(token, 'none') FROM kept
      UNION ALL SELECT kept.*, 'contract', coalesce(call.value ->> 'target', 'none') FROM kept LEFT JOIN LATERAL (
        SELECT position - 1 AS key, value FROM json_array_elements(CASE json_typeof(kept.calls::json) WHEN 'array' THEN kept.calls::json END)
          WITH ORDINALITY AS element (value, position)) AS call ON true
        WHERE coalesce(call.key, 0) = 0 OR NOT EXISTS (
          SELECT 1 FROM (SELECT position - 1 AS key, value FROM json_array_elements(CASE json_typeof(kept.calls::json) WHEN 'array' THEN kept.calls::json END)
            WITH ORDINALITY AS element (value, position)) AS earlier WHERE earlier.key < call.key AND earlier.value ->> 'target' = call.value ->> 'target'
        )
      UNION ALL SELECT kept.*, 'method', coalesce((call.value ->> 'target') || ':' || coalesce(call.value ->> 'selector', '0x'), 'none') FROM kept LEFT JOIN LATERAL (
        SELECT position - 1 AS key, value FROM json_array_elements(CASE json_typeof(kept.calls::json) WHEN 'array' THEN kept.calls::json END)
          WITH ORDINALITY AS element (value, position)) AS call ON true
        WHERE coalesce(call.key, 0) = 0 OR NOT EXISTS (
          SELECT 1 FROM (SELECT position - 1 AS key, value FROM json_array_elements(CASE json_typeof(kept.calls::json) WHEN 'array' THEN kept.calls::json END)
            WITH ORDINALITY AS element (value, position)) AS earlier WHERE earlier.key < call.key AND earlier.value ->> 'target' = call.value ->> 'target'
            AND coalesce(earlier.value ->> 'selector', '0x') = coalesce(call.value ->> 'selector', '0x')
        )
    ), counted AS (
      SELECT paymaster_id, dimension, day, key, (outcome = 'signed')::int AS signed, (outcome = 'quoted')::int AS quoted, (outcome = 'stub')::int AS stub, (outcome = 'refused')::int AS refused,
        landed::int AS landed, coalesce(charge, '0000000000000000000000000000000000000000') AS charge,
        (charge_usd IS NOT NULL)::int AS priced, coalesce(charge_usd, 0) AS usd_micros
      FROM keyed
      UNION ALL SELECT paymaster_id, dimension, extract(epoch FROM (day || 'T00:00:00Z')::timestamptz)::bigint, CASE dimension WHEN 'day' THEN '' ELSE key END,
        signed, quoted, stub, refused, landed, charge, priced, charge_usd FROM usage_totals WHERE dimension <> 'outcome'
    )
    INSERT INTO usage_sums
      SELECT paymaster_id, dimension, 1, day, key, sum(signed), sum(quoted), sum(stub), sum(refused), sum(landed),
        lpad(sum(charge::numeric)::text, 40, '0'), sum(priced), sum(usd_micros)
      FROM counted GROUP BY paymaster_id, dimension, day, key;
    INSERT INTO usage_sums
      SELECT paymaster_id, dimension, 7, day - day % (86400 * 7), key, sum(signed), sum(quoted), sum(stub), sum(refused),
        sum(landed), lpad(sum(charge::numeric)::text, 40, '0'), sum(priced), sum(usd_micros)
      FROM usage_sums WHERE dimension IN ('sender', 'contract', 'method') GROUP BY 1, 2, 4, 5;
    DROP TABLE usage_totals;
    DROP INDEX decisions_by_time;
    DROP INDEX decisions_by_paymaster;
    CREATE INDEX decisions_by_paymaster
      ON decisions (paymaster_id, decision_number, outcome, reason, sender, mode, created_at);
    DROP INDEX live_holds;
    CREATE INDEX live_holds ON holds (paymaster_id) WHERE state = 'live';
  `,
};
