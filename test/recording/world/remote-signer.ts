import type { Hex } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { respondError, respondResult, startRpcServer } from '../../support/servers/json-rpc-server.ts';

/** The service's signing key in a server of its own (`eth_sign`), which can stop to sign. */
export type RemoteSigner = { readonly url: string; behave(behaviour: 'signs' | 'fails'): void; close(): Promise<void> };

export async function startRemoteSigner(signer: LocalAccount): Promise<RemoteSigner> {
  let signs = true;
  const server = await startRpcServer(async (request, response) => {
    if (request.method === 'eth_accounts') return respondResult(response, request, [signer.address]);
    if (!signs) return respondError(response, request, -32_000, 'locked');
    const raw = request.params[1] as Hex;
    return respondResult(response, request, await signer.signMessage({ message: { raw } }));
  });
  return {
    url: server.url,
    behave: (behaviour) => {
      signs = behaviour === 'signs';
    },
    close: server.close,
  };
}
