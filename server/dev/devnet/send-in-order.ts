import type { Address, Hex, TransactionReceipt } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { tryAgain } from '../../../clients/cli/terminal/cli-error.ts';
import type { DevnetClient } from './devnet-client.ts';

type DevTransaction = {
  readonly description: string;
  readonly to: Address;
  readonly data?: Hex;
  readonly value?: bigint;
  /** An explicit gas limit, so that nothing is estimated. */
  readonly gas: bigint;
};

/**
 * Sends transactions sequentially with explicit nonces and gas, each after the previous receipt: concurrent ones can get
 * stuck in a development node's pool. Stops at a reverted transaction.
 */
export async function sendInOrder(
  client: DevnetClient,
  from: LocalAccount,
  transactions: readonly DevTransaction[],
): Promise<readonly TransactionReceipt[]> {
  const receipts: TransactionReceipt[] = [];
  let nonce = await client.getTransactionCount({ address: from.address, blockTag: 'pending' });
  for (const { description, ...transaction } of transactions) {
    const hash = await client.sendTransaction({ account: from, chain: client.chain, nonce, ...transaction });
    const receipt = await client.waitForTransactionReceipt({ hash });
    if (receipt.status !== 'success') throw tryAgain(`The transaction for ${description} reverted (${hash}).`);
    receipts.push(receipt);
    nonce += 1;
  }
  return receipts;
}
