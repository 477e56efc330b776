import { type Address, type Hex, parseAbiItem, type TransactionReceipt } from 'viem';
import type { Devnet } from '../devnet/devnet.ts';

const userOperationEvent = parseAbiItem(
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
);

/** The transaction that an operation has landed in. The development bundler answers once it has. */
export async function readLandedTransaction(
  { client }: Devnet,
  entryPoint: Address,
  userOpHash: Hex,
): Promise<TransactionReceipt> {
  const logs = await client.getLogs({
    address: entryPoint,
    event: userOperationEvent,
    args: { userOpHash },
    fromBlock: 0n,
  });
  const [log] = logs;
  if (log === undefined) throw new Error(`The user operation ${userOpHash} has not landed.`);
  return client.getTransactionReceipt({ hash: log.transactionHash });
}
