import type { Hex } from 'viem';
import type { Logger } from '../../base/logger.ts';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import { insertRows } from '../../store/statements/row-statements.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import type { Store } from '../../store/store.ts';
import { createWriteBehind, type WriteBehind } from '../../store/write-behind.ts';

/** A signed operation, by its hash or what it carries (`is_content_id`), and the hold it belongs to. */
export type SignatureRow = {
  readonly user_operation_hash: string;
  readonly hold_id: number;
  readonly created_at: number;
  readonly at_risk: 0 | 1;
  readonly simulated: 0 | 1;
  readonly decision_id: string | null;
  readonly is_content_id: 0 | 1;
};

/** Leaves alone what is there already. */
export const insertSignatures = insertRows(
  'signatures',
  {
    user_operation_hash: 'text',
    hold_id: 'number',
    created_at: 'number',
    at_risk: 'number',
    simulated: 'number',
    decision_id: 'text',
    is_content_id: 'number',
  },
  { onConflict: '(hold_id, user_operation_hash) DO NOTHING' },
);

/** An operation that is signed for. `atRisk`: its user is charged after the call. `simulated`: its call went through in a simulation; unknown when absent. */
export type SignedOperation = {
  readonly paymasterId: string;
  readonly userOperationHash: Hex;
  readonly holdId: number;
  readonly atRisk: boolean;
  readonly simulated?: boolean;
  /** The decision that returned it. */
  readonly decisionId?: string;
};

/**
 * How many seconds the clocks of the database and of this machine may differ; after a loss nothing is signed for longer than
 * that.
 */
const clockDifference = 300;

type OwnedSignature = { readonly paymasterId: string; readonly row: SignatureRow };

/**
 * Records which hold a signed operation belongs to. The ledger is correct without this: an operation is then found by what
 * it carries, for which its transaction has to be read.
 */
export type SignatureRecorder = WriteBehind<OwnedSignature> & { record(signed: SignedOperation): void };

export function createSignatureRecorder(store: Store, clock: Clock, logger: Logger): SignatureRecorder {
  const rows = createWriteBehind<OwnedSignature>({
    store,
    logger,
    what: 'Signature records',
    ownerOf: ({ paymasterId }) => paymasterId,
    bytesOf: () => 300,
    insert: async (transaction, batch) => {
      // Their holds may be missing in a database that was restored, and other holds may have their numbers by now.
      const since = store.lostAt();
      const rows = batch.flatMap(({ row }) =>
        since === undefined || row.created_at > since + clockDifference ? [row] : [],
      );
      await runTogether(transaction, insertSignatures(rows));
    },
  });
  return {
    ...rows,
    record: ({ paymasterId, userOperationHash, holdId, atRisk, simulated, decisionId }) =>
      rows.add({
        paymasterId,
        row: {
          user_operation_hash: userOperationHash,
          hold_id: holdId,
          created_at: unixSeconds(clock),
          at_risk: atRisk ? 1 : 0,
          simulated: simulated === true ? 1 : 0,
          decision_id: decisionId ?? null,
          is_content_id: 0,
        },
      }),
  };
}
