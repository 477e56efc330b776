import { blockNumber, chainId, count, flag, integer, listMessage, request, text } from '../../base/message-schema.ts';
import {
  ArchiveStepSchema,
  LedgerReportSchema,
  LedgerRewindSchema,
  LedgerStandingSchema,
} from '../ledger/ledger-report.ts';
import { OpenHoldSchema, ReleasedHoldSchema } from '../ledger/open-hold.ts';
import type { CoreMethods, OperationsOf } from './core-methods.ts';

/** The ledger next to the chain; the operator's alone. */
export const ledgerOperations = {
  /**
   * Every paymaster contract's ledger next to the chain; the operator's alone. `CHAIN_UNAVAILABLE` when a node does not
   * answer. The rows of the ledger are added up that are new since the last time, with `allRows` all of them.
   */
  checkLedger: {
    input: request({
      /** Whether all rows of the ledger are read, not only those added since the last check. */
      allRows: flag,
    }),
    value: listMessage('LedgerReportList', 'reports', LedgerReportSchema),
  },
  /**
   * Takes the ledger of a chain back to a block, which stays the last one in them; what follows is read again. The operator's
   * alone. Answers for each contract that had come further. `INVALID_FIELD` for a chain that is not configured, and for a
   * block that the chain does not have yet or that lies further back than the ledger can.
   */
  rewindLedger: {
    input: request({
      chainId,
      /** The last block that stays in the ledger. */
      block: blockNumber,
    }),
    value: listMessage('LedgerRewindList', 'rewinds', LedgerRewindSchema),
  },
  /**
   * Archives rows that operations have left in the ledger `olderThanDays` ago, 40 at least, in steps; the operator's alone. Deletes
   * those that the caller has `stored`, which are the `rows` of the step before, and answers the next ones. `after` is that of the
   * step before, and empty at first. What the rows come to stays. `INVALID_FIELD` where a row is not as the ledger has it.
   */
  archiveLedger: {
    input: request({
      /** 40 at least. */
      olderThanDays: integer,
      /** `after` of the step before. Empty at first. */
      after: text,
      /** The `rows` of the step before, which the caller has stored: they are deleted. */
      stored: text,
    }),
    value: ArchiveStepSchema,
  },
  /**
   * What is set aside on a chain for signatures that may land, the oldest first, those after `afterHoldId` where given: 1 to
   * 200 (50 by default); the operator's alone. `INVALID_FIELD` for a chain that is not configured.
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
   * Releases a hold where ledger and chain show that nothing can land under it any more; the operator's alone.
   * `INVALID_FIELD` says why not, and when it will be so; `CHAIN_UNAVAILABLE` while not every node of the chain answers and
   * agrees with the ledger. `reason`: 1 to 200 printable characters, they stand in the ledger.
   */
  releaseHold: {
    input: request({
      chainId,
      /** The hold's number in the ledger. */
      holdId: count,
      /** 1 to 200 printable characters. They are in the ledger. */
      reason: text,
    }),
    value: ReleasedHoldSchema,
  },
  /** The kept sums of every paymaster contract next to the chain, without adding up the ledger; the operator's alone. */
  readLedgerStandings: { value: listMessage('LedgerStandingList', 'standings', LedgerStandingSchema) },
} as const satisfies CoreMethods;
export type LedgerOperations = OperationsOf<typeof ledgerOperations>;
