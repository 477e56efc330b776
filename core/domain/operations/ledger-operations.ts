import { blockNumber, chainId, count, flag, integer, listMessage, request, text } from '../../base/message-schema.ts';
import {
  ArchiveStepSchema,
  LedgerReportSchema,
  LedgerReversalSchema,
  LedgerStateSchema,
  OpenHoldSchema,
  ReleasedHoldSchema,
} from '../ledger-report.ts';
import type { CoreMethods } from './core-methods.ts';

/** The ledger compared with the chain; operator only. */
export const ledgerOperations = {
  /**
   * Every paymaster contract's ledger compared with the chain; operator only. `CHAIN_UNAVAILABLE` when a node does not
   * answer. Adds up the ledger rows that are new since the last check or can still change, or with `allRows` all of them.
   */
  checkLedger: {
    input: request({
      /** Whether all rows of the ledger are read, not only those that are new since the last check or can still change. */
      allRows: flag,
    }),
    value: listMessage('LedgerReportList', 'reports', LedgerReportSchema),
  },
  /**
   * Rolls the ledger of a chain back to a block, which remains the last one in it; later blocks are read again. Operator
   * only. Returns each contract that had advanced further. `INVALID_FIELD` for a chain that is not configured, and for a
   * block that the chain does not have yet or that is too far back.
   */
  revertLedger: {
    input: request({
      chainId,
      /** The last block that remains in the ledger. */
      block: blockNumber,
    }),
    value: listMessage('LedgerReversalList', 'reversals', LedgerReversalSchema),
  },
  /**
   * Archives ledger rows of operations that are older than `olderThanDays` days, at least 40, in steps; operator only.
   * Deletes the rows that the caller has `stored`, which are the `rows` of the previous step, and returns the next ones.
   * `after` is that of the previous step, and empty at first. The sums of the rows are kept. `INVALID_FIELD` if a row
   * differs from the ledger's.
   */
  archiveLedger: {
    input: request({
      /** At least 40. */
      olderThanDays: integer,
      /** `after` of the previous step. Empty at first. */
      after: text,
      /** The `rows` of the previous step, which the caller has stored and which are deleted now. */
      stored: text,
    }),
    value: ArchiveStepSchema,
  },
  /**
   * The holds on a chain for signatures that may still land, oldest first, after `afterHoldId` if given: 1 to 200 (50 by
   * default); operator only. `INVALID_FIELD` for a chain that is not configured.
   */
  listOpenHolds: {
    input: request({
      chainId,

      /** Only those of this sender. Absent: of all. */
      sender: text.exactOptional(),

      /** Only holds with a higher number. Absent: from the oldest on. */
      afterHoldId: count.exactOptional(),

      /** How many, 1 to 200. Absent: 50. */
      limit: integer.exactOptional(),
    }),
    value: listMessage('OpenHoldList', 'holds', OpenHoldSchema),
  },
  /**
   * Releases a hold if ledger and chain show that nothing can land under it any more; operator only. `INVALID_FIELD` says
   * why not, and when it will be possible; `CHAIN_UNAVAILABLE` unless every node of the chain answers and agrees with the
   * ledger. `reason`: 1 to 200 printable characters, recorded in the ledger.
   */
  releaseHold: {
    input: request({
      chainId,
      /** The hold's number in the ledger. */
      holdId: count,
      /** 1 to 200 printable characters, recorded in the ledger. */
      reason: text,
    }),
    value: ReleasedHoldSchema,
  },
  /** The stored sums of every paymaster contract compared with the chain, without adding up the ledger; operator only. */
  readLedgerStates: { value: listMessage('LedgerStateList', 'states', LedgerStateSchema) },
} as const satisfies CoreMethods;
