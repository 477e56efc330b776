import { readFileSync } from 'node:fs';
import { type Address, createPublicClient, getAddress, type Hex, http } from 'viem';
import { toSimple7702SmartAccount } from 'viem/account-abstraction';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import { devPackageFile } from '../../../clients/cli/dev/devnet/dev-package.ts';
import type { Devnet } from '../../../clients/cli/dev/devnet/devnet.ts';
import type { DevCall } from '../../../clients/cli/dev/user-operation/build-user-operation.ts';
import { freshKey } from '../service/running-service.ts';
import { bundler } from './chain-lab.ts';

const artifactSchema = z.object({ bytecode: z.templateLiteral(['0x', z.string()]) });

/** Deploys the published Simple7702Account, for senders to delegate to. */
export async function deploySimple7702Account({ client }: Devnet): Promise<Address> {
  const file = devPackageFile('@account-abstraction/contracts-0.8', 'artifacts/Simple7702Account.json');
  const { bytecode } = artifactSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const hash = await client.deployContract({ account: bundler, chain: client.chain, abi: [], bytecode });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error('Simple7702Account was not deployed.');
  return getAddress(contractAddress);
}

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
