import { type Address, createPublicClient, type Hex, http } from 'viem';
import { toSimple7702SmartAccount } from 'viem/account-abstraction';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import type { DevCall } from '../../../server/dev/user-operation/build-user-operation.ts';
import { freshKey } from '../service/running-service.ts';

/** viem's EIP-7702 account: an owner's own address, with the code of `delegate` from its first operation on. */
export function delegatingAccount(devnet: Devnet, delegate: Address, owner = privateKeyToAccount(freshKey())) {
  const client = createPublicClient({
    chain: devnet.client.chain,
    transport: http(devnet.rpcUrl),
    pollingInterval: 20,
  });
  return toSimple7702SmartAccount({ client, implementation: delegate, owner });
}
export type DelegatingAccount = Awaited<ReturnType<typeof delegatingAccount>>;

/** The owner's authorization for `delegate`, signed and good for the next transaction. */
export async function signDelegation(
  { client, chainId }: Devnet,
  owner: PrivateKeyAccount,
  delegate: Address,
  over: { chainId?: number; nonce?: number } = {},
) {
  const nonce = await client.getTransactionCount({ address: owner.address });
  return owner.signAuthorization({ address: delegate, chainId, nonce, ...over });
}
export type SignedDelegationOf = Awaited<ReturnType<typeof signDelegation>>;

/** The account's next operation with the EIP-7702 marker, unsigned, without gas limits and without a paymaster. */
export async function markedOperation(devnet: Devnet, account: DelegatingAccount, calls: readonly DevCall[]) {
  const block = await devnet.client.getBlock();
  const maxPriorityFeePerGas = 1_000_000_000n;
  return {
    sender: account.address,
    nonce: await account.getNonce(),
    callData: await account.encodeCalls(calls.map(({ to, value = 0n, data }) => ({ to, value, data }))),
    factory: '0x7702' as Hex,
    factoryData: '0x' as Hex,
    maxFeePerGas: (block.baseFeePerGas ?? 0n) * 2n + maxPriorityFeePerGas,
    maxPriorityFeePerGas,
    signature: await account.getStubSignature(),
  };
}
