import { parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { buildUserOperation, signUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import { handleUserOperation } from '../../server/dev/user-operation/entry-point.ts';

/** Puts a SimpleAccount on chain with an operation that it pays for itself. */
export async function deployAccount(devnet: Devnet): Promise<`0x${string}`> {
  const owner = privateKeyToAccount(generatePrivateKey());
  const built = await buildUserOperation(devnet, { version: '0.7', owner: owner.address }, []);
  await devnet.client.setBalance({ address: built.sender, value: parseEther('1') });
  const limits = { callGasLimit: 50_000n, verificationGasLimit: 500_000n, preVerificationGas: 60_000n };
  const signed = await signUserOperation(devnet, { ...built, ...limits }, owner);
  await handleUserOperation(devnet, signed, privateKeyToAccount(deriveDevKey(0)));
  return built.sender;
}
