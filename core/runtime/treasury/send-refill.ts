import { omitAbsent } from '@tollfree/contract/omit-absent';
import { unixSeconds } from '../../base/time/clock.ts';
import { maxBigint } from '../../base/values/integers.ts';
import { recordTransfer } from '../../ledger/treasury/write-transfers.ts';
import { askAllNodes } from './ask-all-nodes.ts';
import type { DueRefill } from './find-due-refill.ts';
import { callOf, signAndSend } from './sign-and-send.ts';
import { boundFees, currentFees } from './transfer-fees.ts';
import { RefillBlocked, type TreasuryParts } from './treasury-parts.ts';

/** A transfer or a deposit needs far less, even where gas pays for data. */
const maxGas = 2_000_000n;
/** Their minimum: with a lower answer from a node they would never land, or fail. */
const minGas = 21_000n;
const minDepositGas = 80_000n;

/**
 * Sends a refill in full or not at all. It is recorded, with everything that counts for the cap, before it is signed.
 *
 * @throws RefillBlocked when it cannot be sent now.
 */
export async function sendRefill(
  parts: TreasuryParts,
  { target, entryPoint, amount }: DueRefill,
  { nextNonce, walletBalance }: { readonly nextNonce: number; readonly walletBalance: bigint },
): Promise<void> {
  const { client, chainId, store, clock, maxPerDay, maxFeePerGasCeiling: ceiling } = parts;
  const { address } = parts.wallet;
  if (walletBalance <= amount) throw new RefillBlocked('wallet', 'The treasury has too little coin.');
  await refuseOthersTransactions(parts, nextNonce);
  const place = { target, ...omitAbsent({ entryPoint }) };
  const estimate = await client.estimateGas({ account: address, ...callOf({ ...place, amount }) });
  const gas = maxBigint((estimate * 5n) / 4n, entryPoint === undefined ? minGas : minDepositGas);
  if (gas > maxGas) throw new RefillBlocked('fees', 'The node estimates an impossible amount of gas.');
  const fees = boundFees(await currentFees(client, await client.getBlock()), { amount, gas, ceiling });
  if (walletBalance < amount + gas * fees.maxFeePerGas) {
    throw new RefillBlocked('wallet', 'The treasury has too little coin.');
  }
  const draft = { chainId, wallet: address, ...place, amount, nonce: nextNonce, gas, fees };
  const transfer = await recordTransfer(store, draft, { maxPerDay, now: unixSeconds(clock) });
  if (transfer === undefined) throw new RefillBlocked('cap', 'treasury.maxPerDay is used up.');
  await signAndSend(parts, transfer);
}

/** A pending transaction in a node's pool would be replaced by a refill, or would delay it. */
async function refuseOthersTransactions({ nodes, wallet }: TreasuryParts, nextNonce: number): Promise<void> {
  const { address } = wallet;
  const pending = await askAllNodes(nodes, (node) => node.getTransactionCount({ address, blockTag: 'pending' }));
  if (pending.every((count) => count <= nextNonce)) return;
  throw new RefillBlocked('nonce', 'The treasury has transactions under way that the service did not send.');
}
