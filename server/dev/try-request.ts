import { relative } from 'node:path';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { incrementCall, sponsoredContext } from './demo-operations.ts';
import type { DevPaymaster } from './dev-file.ts';
import type { Devnet } from './devnet/devnet.ts';
import { rpcBody } from './rpc-call.ts';
import { buildUserOperation } from './user-operation/build-user-operation.ts';
import { toRpcUserOperation } from './user-operation/dev-user-operation.ts';

/** The body of a sponsorship request for an account that does not exist yet, so that it can be sent repeatedly. */
export async function tryRequest(devnet: Devnet, { entryPointVersion }: DevPaymaster): Promise<string> {
  const owner = privateKeyToAddress(generatePrivateKey());
  const operation = await buildUserOperation(devnet, { version: entryPointVersion, owner }, [incrementCall(devnet)]);
  return rpcBody('pm_getFeeQuoteOrData', [toRpcUserOperation(operation), sponsoredContext]);
}

/** A command line that sends it, ready to paste into a shell in this folder. */
export function tryCommand({ rpcUrl }: DevPaymaster, requestFile: string): string {
  const near = relative(process.cwd(), requestFile);
  const file = near.startsWith('..') ? requestFile : near;
  return `curl -s ${rpcUrl} -H 'content-type: application/json' -d '@${file.replaceAll("'", "'\\''")}'`;
}
