import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { OperationStatus } from '@tollfree/contract/operation-status';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { type Address, BaseError, type Hex, parseAbi, parseEventLogs, size, slice } from 'viem';
import type { Owned } from '../domain/access/actor.ts';
import type { Core } from '../domain/core.ts';
import type { OperationLife, OperationStep } from '../domain/decision.ts';
import { accept, refuse } from '../domain/result/result.ts';
import type { CustomError } from '../evm/abi/custom-errors.ts';
import { endOfTime } from '../evm/entry-point/entry-point-abi.ts';
import { describeRevert } from '../gas/failures/decode-failure.ts';
import type { ChainClient } from '../node/chain-client.ts';
import { ownPaymasterId } from '../store/own-paymaster.ts';
import type { Store } from '../store/store.ts';
import { fromWeiText } from '../store/wei.ts';
import { decodeDecisionRecord } from './decision-record.ts';
import { readTokenPayments, statusOfSigned } from './stored-decision.ts';

/** Most decisions listed of one operation. */
const maxDecisions = 20;

/** Why the calls of a landed operation reverted, in words; undefined if unknown. */
export type ReadRevertReason = (landed: {
  readonly chainId: number;
  readonly paymasterId: string;
  /** The account, and the called contracts: any of them may have reverted. */
  readonly targets: readonly Address[];
  readonly txHash: Hex;
  readonly userOperationHash: Hex;
}) => Promise<string | undefined>;

/** One refusal for another paymaster's operation and for an unknown one. */
const operationNotFound = refuse({ reason: 'OPERATION_NOT_FOUND', message: 'Operation not found' });

/** The life of an operation by its hash. The newest background writes may be missing. */
export function createReadOperation(store: Store, readRevertReason: ReadRevertReason): Core['getOperation'] {
  return async ({ userOperationHash, ...owned }) => {
    const row = await selectOperation(store, owned, userOperationHash);
    if (row === undefined) return operationNotFound;
    const { paymasterId } = owned;
    const life = toLife(row);
    const { chainId, sender, status, txHash } = life;
    const decisions = await readDecisions(store, row.hold_id);
    const targets = [...targetsOf(decisions[0]), sender];
    const landed = { chainId, paymasterId, targets, userOperationHash: life.userOperationHash };
    const revertReason =
      status === 'failed' && txHash !== undefined ? await readRevertReason({ ...landed, txHash }) : undefined;
    const payments = txHash === undefined ? undefined : await readTokenPayments(store.db, [row.hold_id]);
    const tokenPayment = payments?.get(row.hold_id);
    const decisionIds = decisions.map(({ decision_id }) => decision_id);
    return accept({ ...life, ...omitAbsent({ revertReason, tokenPayment }), decisionIds });
  };
}

/** The landed one if several paymasters' holds have signed the same, else the newest. */
function selectOperation({ db }: Store, owned: Owned, hash: string) {
  return (
    db
      .selectFrom('signatures')
      .innerJoin('holds', 'holds.hold_id', 'signatures.hold_id')
      .innerJoin('tanks', 'tanks.tank_id', 'holds.tank_id')
      .select(['signatures.user_operation_hash', 'signatures.created_at as signed_at', 'signatures.sent_at'])
      .select(['holds.hold_id', 'holds.state', 'holds.sender', 'holds.nonce', 'holds.amount', 'holds.valid_until'])
      .select(['holds.charge', 'holds.success', 'holds.landed_tx', 'holds.landed_hash', 'holds.landed_block'])
      .select(['holds.ended_at', 'holds.unpaid', 'tanks.chain_id', 'tanks.contract', statusOfSigned.as('status')])
      .where('signatures.user_operation_hash', '=', hash.toLowerCase())
      // A literal number, or the index of hashes is not used.
      .where('signatures.is_content_id', '=', sql.lit(0))
      .where('holds.paymaster_id', '=', ownPaymasterId(db, owned))
      .orderBy(sql`holds.state = 'settled'`, 'desc')
      .orderBy('holds.hold_id', 'desc')
      .limit(1)
      .executeTakeFirst()
  );
}

type Row = NonNullable<Awaited<ReturnType<typeof selectOperation>>>;

/** What only a landed operation has: its cost, transaction and block. */
const landedStatuses: readonly OperationStatus[] = ['included', 'failed'];

function toLife(row: Row): Omit<OperationLife, 'decisionIds'> {
  const { status, charge, success, landed_tx, landed_hash, landed_block } = row;
  const hasLanded = landedStatuses.includes(status);
  return {
    // The service wrote these texts itself, so their form is known.
    userOperationHash: row.user_operation_hash as Hex,
    chainId: row.chain_id,
    contract: row.contract as Address,
    sender: row.sender as Address,
    nonce: BigInt(row.nonce),
    status,
    steps: stepsOf(row),
    held: fromWeiText(row.amount),
    ...(row.valid_until === endOfTime ? {} : { validUntil: row.valid_until }),
    ...(hasLanded && charge !== null ? { charge: fromWeiText(charge) } : {}),
    ...(hasLanded && success !== null ? { success: success === 1 } : {}),
    ...(hasLanded && landed_tx !== null ? { txHash: landed_tx as Hex } : {}),
    ...(hasLanded && landed_block !== null ? { blockNumber: BigInt(landed_block) } : {}),
    ...(hasLanded && row.unpaid !== null ? { unpaid: true } : {}),
    ...(status === 'replaced' && landed_hash !== null ? { replacedBy: landed_hash as Hex } : {}),
  };
}

function stepsOf({ status, signed_at, sent_at, ended_at, state }: Row): readonly OperationStep[] {
  return [
    { status: 'signed', at: signed_at },
    ...(sent_at === null ? [] : [{ status: 'sent' as const, at: sent_at }]),
    ...(state === 'live' || ended_at === null ? [] : [{ status, at: ended_at }]),
  ];
}

type DecisionOfHold = { readonly decision_id: string; readonly record: string; readonly reasons: Uint8Array };

function targetsOf(decision: DecisionOfHold | undefined): readonly Address[] {
  if (decision === undefined) return [];
  const { facts } = decodeDecisionRecord(decision, decision.decision_id);
  return facts?.calls.map(({ target }) => target) ?? [];
}

function readDecisions({ db }: Store, holdId: number): Promise<readonly DecisionOfHold[]> {
  return db
    .selectFrom('decisions')
    .select(['decision_id', 'record', 'reasons'])
    .where('hold_id', '=', holdId)
    .orderBy('decision_number', 'desc')
    .limit(maxDecisions)
    .execute();
}

/** Most operations whose revert data is cached: it never changes, and has at most about 2 kB each. */
const maxRemembered = 1_000;

type Parts = {
  readonly chains: ReadonlyMap<number, { readonly client: ChainClient }>;
  /** Custom errors of the contracts that the account holder registered. */
  readonly findErrors: (paymasterId: string, addresses: readonly string[]) => Promise<readonly CustomError[]>;
};

/** Asks a node once why the calls of an operation reverted, and names errors of registered contracts. */
export function createReadRevertReason({ chains, findErrors }: Parts): ReadRevertReason {
  const remembered = new LRUCache<Hex, Hex>({ max: maxRemembered });
  return async ({ chainId, paymasterId, targets, ...landed }) => {
    const chain = chains.get(chainId);
    const key = `${landed.txHash}${landed.userOperationHash}` as const;
    const data = remembered.get(key) ?? (chain && (await readRevertData(chain.client, landed)));
    if (data === undefined) return undefined;
    remembered.set(key, data);
    if (size(data) < 4) return 'The call reverted without a reason.';
    return describeRevert(data, await findErrors(paymasterId, targets));
  };
}

/** Every EntryPoint version has this event (`IEntryPoint`). */
const abi = parseAbi([
  'event UserOperationRevertReason(bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason)',
]);

/** Most bytes of revert data that are kept. The EntryPoint emits no more than 2,048. */
const maxBytes = 2_048;

/**
 * The revert data of a landed operation's calls, from the receipt of its transaction; `0x` for a revert without data.
 * Undefined when the node does not answer, or no longer has the receipt.
 */
async function readRevertData(
  client: ChainClient,
  { txHash, userOperationHash }: { readonly txHash: Hex; readonly userOperationHash: Hex },
): Promise<Hex | undefined> {
  try {
    const { logs } = await client.getTransactionReceipt({ hash: txHash });
    const reasons = parseEventLogs({ abi, logs });
    const { revertReason } = reasons.find(({ args }) => args.userOpHash === userOperationHash)?.args ?? {};
    if (revertReason === undefined) return '0x';
    return size(revertReason) > maxBytes ? slice(revertReason, 0, maxBytes) : revertReason;
  } catch (cause) {
    if (cause instanceof BaseError) return undefined;
    throw cause;
  }
}
