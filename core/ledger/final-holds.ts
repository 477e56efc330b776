import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { secondsPerDay } from '../domain/utc-days.ts';
import { blocksToRevert } from './posting/pass-block.ts';

/** The last block that the ledger of a contract is not rolled back behind by itself; null before there is one. */
export function lastSafeBlock(ofContract: RawBuilder<unknown>): RawBuilder<number | null> {
  return sql`(SELECT next_block - 1 - ${sql.lit(Number(blocksToRevert))} FROM contract_watches WHERE ${ofContract})`;
}

/** How long a question to another paymaster is open at most, in seconds: its request has been answered long before. */
const questionsEndWithin = secondsPerDay;

/**
 * The condition that nothing changes any more what accounts count of a row of `holds`, at a time in Unix seconds. It has ended, and
 * no rollback of the last blocks reaches the event that ended it. If it was released, no operation relayed under it can land late. What
 * it cost unpaid no longer counts, and nothing set aside for another paymaster is given back. Only the operator's
 * `ledger revert` to an older block changes such a hold.
 */
export function isFinalHold(now: number): RawBuilder<SqlBool> {
  const isRelayed = sql`EXISTS (SELECT 1 FROM relayed_operations WHERE relayed_operations.hold_id = holds.hold_id)`;
  const ofTank = sql`(chain_id, contract) = (
    SELECT tanks.chain_id, tanks.contract FROM tanks WHERE tanks.tank_id = holds.tank_id
  )`;
  return sql`(holds.state = 'settled' OR (holds.state = 'released' AND NOT ${isRelayed}))
    AND (holds.landed_block IS NULL OR holds.landed_block <= ${lastSafeBlock(ofTank)})
    AND holds.unpaid_until IS NULL
    AND (holds.vendor_use IS NULL OR holds.vendor_use LIKE '%"askedUntil":0}' OR holds.ended_at < ${now - questionsEndWithin})`;
}
