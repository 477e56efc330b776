import { randomUUID } from 'node:crypto';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import { incrementCall, sponsoredContext } from '../../../server/dev/demo-operations.ts';
import { deriveDevKey } from '../../../server/dev/devnet/dev-keys.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { rpcCall } from '../../../server/dev/rpc-call.ts';
import { buildUserOperation, signUserOperation } from '../../../server/dev/user-operation/build-user-operation.ts';
import { toRpcUserOperation } from '../../../server/dev/user-operation/dev-user-operation.ts';
import { handleUserOperation } from '../../../server/dev/user-operation/entry-point.ts';

const quantity = z.union([z.string(), z.int()]).transform((value) => BigInt(value));
const signedSchema = z.object({
  paymasterAndData: z.templateLiteral(['0x', z.string()]),
  preVerificationGas: quantity,
  verificationGasLimit: quantity,
  callGasLimit: quantity,
});

/** Has an account of no one's sponsored, deploys it and makes one call: a whole operation, from request to block. */
export async function landOperation(devnet: Devnet, rpcUrl: string): Promise<void> {
  const owner = privateKeyToAccount(generatePrivateKey());
  const salt = BigInt(`0x${randomUUID().replaceAll('-', '')}`);
  const built = await buildUserOperation(devnet, { version: '0.7', owner: owner.address, salt }, [
    incrementCall(devnet),
  ]);
  const params = [toRpcUserOperation(built), sponsoredContext];
  const signed = await rpcCall(rpcUrl, 'pm_sponsorUserOperation', params, signedSchema);
  const operation = await signUserOperation(devnet, { ...built, ...signed }, owner);
  await handleUserOperation(devnet, operation, privateKeyToAccount(deriveDevKey(0)));
}
