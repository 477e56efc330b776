import { type Address, getAddress } from 'viem';
import { z } from 'zod';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { userOperationEvent } from '../../core/node/chain-event.ts';
import { openHandle } from '../../core/store/sqlite/open-handle.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';

/** An operation that landed, as the chain has it or as the ledger does. */
export type LandedRow = {
  readonly sender: string;
  readonly nonce: string;
  readonly cost: bigint;
  readonly success: boolean;
  readonly txHash: string;
};

/** All operations that a contract has paid for, from the chain's own events. */
export async function landedOnChain(
  devnet: Devnet,
  version: EntryPointVersion,
  paymaster: Address,
): Promise<readonly LandedRow[]> {
  const logs = await devnet.client.getLogs({
    address: devnet.entryPoints[version],
    event: userOperationEvent,
    args: { paymaster },
    fromBlock: 0n,
    strict: true,
  });
  return logs.map(({ args, transactionHash }) => ({
    sender: getAddress(args.sender),
    nonce: args.nonce.toString(),
    cost: args.actualGasCost,
    success: args.success,
    txHash: transactionHash,
  }));
}

const holdSchema = z
  .object({ sender: z.string(), nonce: z.string(), charge: z.string(), success: z.int(), landed_tx: z.string() })
  .transform(
    (row): LandedRow => ({
      sender: row.sender,
      nonce: row.nonce,
      cost: BigInt(row.charge),
      success: row.success === 1,
      txHash: row.landed_tx,
    }),
  );

/** The settled holds of a contract. */
export function landedInLedger(file: string, contract: Address): readonly LandedRow[] {
  const sql = `SELECT sender, nonce, charge, success, landed_tx FROM holds JOIN tanks USING (tank_id)
    WHERE contract = ? AND state = 'settled' ORDER BY hold_id`;
  return z.array(holdSchema).parse(query(file, sql, contract));
}

const stateSchema = z.array(z.object({ state: z.string(), count: z.int() }));

/** How many holds of a contract are in which state. */
export function countHolds(file: string, contract: Address): Readonly<Record<string, number>> {
  const sql = `SELECT state, count(*) AS count FROM holds JOIN tanks USING (tank_id) WHERE contract = ? GROUP BY state`;
  const rows = stateSchema.parse(query(file, sql, contract));
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

const paymentSchema = z.array(z.object({ token: z.string(), amount: z.string(), hold_id: z.int() }));

/** What the ledger says users have paid, over all contracts, by token. Each payment must have its hold. */
export function tokensInLedger(file: string): Readonly<Record<string, bigint>> {
  const sums: Record<string, bigint> = {};
  for (const { token, amount } of paymentSchema.parse(query(file, 'SELECT * FROM token_payments'))) {
    sums[token] = (sums[token] ?? 0n) + BigInt(amount);
  }
  return sums;
}

function query(file: string, sql: string, contract?: Address): unknown[] {
  const database = openHandle(file, { readonly: true });
  try {
    return database.prepare(sql).all(...(contract === undefined ? [] : [getAddress(contract)]));
  } finally {
    database.close();
  }
}
