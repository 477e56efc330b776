import type { ManagementClient } from '@tollfree/sdk/management';
import { type Address, type Hex, numberToHex, parseAbiItem, parseEther, type TransactionReceipt } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import { incrementCall, type Shown, whenFunded } from './demo-operations.ts';
import type { DevPaymaster } from './dev-file.ts';
import type { Devnet } from './devnet/devnet.ts';
import { sendInOrder } from './devnet/send-in-order.ts';
import { RpcRefused, rpcCall } from './rpc-call.ts';
import { buildUserOperation, signUserOperation } from './user-operation/build-user-operation.ts';
import { toRpcUserOperation } from './user-operation/dev-user-operation.ts';

const userOperationEvent = parseAbiItem(
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
);

/** The transaction in which an operation landed. The development bundler answers only then. */
async function readLandedTransaction(
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

/** Deposit into the relay's tank, in wei. */
const deposit = parseEther('10');
/** Enough to create an account and call the target once. */
const limits = { callGasLimit: 100_000n, verificationGasLimit: 380_000n, preVerificationGas: 60_000n };

/** A relayed operation without a paymaster contract: its transaction's cost in wei, and its gas. */
export type RelayDemonstration = Shown<{ readonly cost: bigint; readonly gas: bigint }>;

/** Allows the paymaster to relay, fills its relay tank from its funding wallet, and relays an operation of a new account. */
export async function demonstrateRelay(
  devnet: Devnet,
  paymaster: DevPaymaster,
  parts: { readonly management: ManagementClient; readonly fundingKey: Hex; readonly executor: Address },
): Promise<RelayDemonstration> {
  const { apiKey, entryPoint, entryPointVersion: version } = paymaster;
  const policy = await parts.management.readPolicy({ apiKey });
  if (policy.relay === 'NEVER') await parts.management.setPolicy({ apiKey, policy: { ...policy, relay: 'PREFER' } });
  const transfer = { description: 'a transfer to the executor', to: parts.executor, value: deposit, gas: 21_000n };
  await sendInOrder(devnet.client, privateKeyToAccount(parts.fundingKey), [transfer]);
  const owner = privateKeyToAccount(generatePrivateKey());
  const built = await buildUserOperation(devnet, { version, owner: owner.address }, [incrementCall(devnet)]);
  const free = { ...built, ...limits, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
  const operation = toRpcUserOperation(await signUserOperation(devnet, free, owner));
  const params = [operation, entryPoint, numberToHex(devnet.chainId), {}];
  try {
    const hash = await whenFunded(() => rpcCall(paymaster.rpcUrl, 'tollfree_relayUserOperation', params, z.string()));
    const { transactionHash, gasUsed, effectiveGasPrice } = await readLandedTransaction(
      devnet,
      entryPoint,
      hash as Hex,
    );
    return { transactionHash, gas: gasUsed, cost: gasUsed * effectiveGasPrice };
  } catch (error) {
    if (!(error instanceof RpcRefused)) throw error;
    return { refusal: error.reason ?? error.message };
  }
}
