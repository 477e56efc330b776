import type { OperationStatus } from '@tollfree/contract/operation-status';
import { sql } from 'kysely';

/**
 *
 *
 * How far a signed operation got, in SQL over its row of `signatures` (null if the hash is unknown) and of `holds`. The only
 * derivation: everything that shows or filters by a status uses it.
 *
 * An operation lands by its own hash; with another hash, another operation has used the nonce. Without a landing it was
 * dropped if a bundler is known to have had it. Rows of earlier versions do not say why they were released: they count as
 * expired.
 */
export const statusOfSigned = sql<OperationStatus>`CASE
  WHEN holds.state = 'live' OR holds.state IS NULL THEN CASE WHEN ${wasSent()} THEN 'sent' ELSE 'signed' END
  WHEN holds.landed_hash <> signatures.user_operation_hash THEN 'replaced'
  WHEN holds.state = 'settled' THEN CASE WHEN holds.success = 0 THEN 'failed' ELSE 'included' END
  WHEN holds.released_because = 'replaced' THEN 'replaced'
  WHEN ${wasSent()} THEN 'dropped'
  WHEN holds.released_because = 'operator' THEN 'released'
  ELSE 'expired' END`;

/** The same for a decision, with its row of `decisions`. */
export const statusOfDecision = sql<OperationStatus>`CASE
  WHEN decisions.outcome = 'refused' THEN 'refused'
  WHEN decisions.outcome <> 'signed' THEN 'quoted'
  ELSE ${statusOfSigned} END`;

/** For a decision that was not the first to answer with its signature: whether any operation of its hold was sent. */
function wasSent() {
  return sql`(signatures.sent_at IS NOT NULL OR (signatures.user_operation_hash IS NULL AND EXISTS (
    SELECT 1 FROM signatures AS other WHERE other.hold_id = holds.hold_id AND other.sent_at IS NOT NULL)))`;
}
