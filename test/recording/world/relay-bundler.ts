import type { Hex } from 'viem';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import type { DevUserOperation } from '../../../server/dev/user-operation/dev-user-operation.ts';
import { readUserOperationHash } from '../../../server/dev/user-operation/entry-point.ts';
import { respond, respondError, respondResult, startRpcServer } from '../../support/servers/json-rpc-server.ts';
import { rpcToDevOperation } from './rpc-to-dev-operation.ts';

/**
 * How the bundler answers. `refuses`: the operation is invalid. `broken`: an error that is not about the operation. `silent`: no
 * answer that can be read, so the service does not know whether the bundler has it. `forgets`: it accepts, and then does not know it.
 */
export const bundlerBehaviours = ['accepts', 'refuses', 'broken', 'silent', 'forgets'] as const;
export type BundlerBehaviour = (typeof bundlerBehaviours)[number];

/** A bundler (alto's methods) that keeps operations until the recording lands them. */
export type RelayBundler = {
  readonly url: string;
  operation(hash: Hex): DevUserOperation | undefined;
  behave(behaviour: BundlerBehaviour): void;
  close(): Promise<void>;
};

export async function startRelayBundler(devnet: Devnet, version: EntryPointVersion): Promise<RelayBundler> {
  const kept = new Map<Hex, DevUserOperation>();
  let behaviour: BundlerBehaviour = 'accepts';
  const server = await startRpcServer(async (request, response) => {
    const [first] = request.params;
    if (behaviour === 'silent') return respond(response, 'gone', 502);
    if (request.method === 'pimlico_getUserOperationStatus') {
      const isKept = kept.has(String(first).toLowerCase() as Hex) && behaviour !== 'forgets';
      return respondResult(response, request, {
        status: isKept ? 'not_submitted' : 'not_found',
        transactionHash: null,
      });
    }
    if (request.method !== 'boost_sendUserOperation') return respondError(response, request, -32_601, 'unknown method');
    if (behaviour === 'refuses') return respondError(response, request, -32_500, 'AA23 reverted: stand-in');
    if (behaviour === 'broken') return respondError(response, request, -32_603, 'out of order');
    const operation = rpcToDevOperation(first as Readonly<Record<string, Hex>>, version);
    // As a real one: EntryPoint has no hash for an operation of an account that was never delegated.
    const hash = await readUserOperationHash(devnet, operation).catch(() => undefined);
    if (hash === undefined) return respondError(response, request, -32_500, 'AA20 account not deployed');
    kept.set(hash.toLowerCase() as Hex, operation);
    return respondResult(response, request, hash.toLowerCase());
  });
  return {
    url: server.url,
    operation: (hash) => kept.get(hash.toLowerCase() as Hex),
    behave: (next) => {
      behaviour = next;
    },
    close: server.close,
  };
}
