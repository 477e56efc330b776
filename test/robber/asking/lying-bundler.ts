import { z } from 'zod';
import type { ChainConfig } from '../../../core/domain/core-config.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { startTestBundler } from '../../support/chain/test-bundler.ts';
import { forward, respond, startRpcServer } from '../../support/servers/json-rpc-server.ts';
import { changedLimit, type LimitChanges, sameLimits } from '../plan/plan.ts';

/** A bundler whose estimates are what the attacker wants. */
export type LyingBundler = {
  readonly url: string;
  /** Changes all estimates from now on; those of the paymaster's limits stay. */
  estimateWith(changes: LimitChanges): void;
  close(): Promise<void>;
};

const quantity = z.union([z.string(), z.int()]).transform((value) => BigInt(value));
const estimateSchema = z.object({
  result: z.looseObject({ callGasLimit: quantity, verificationGasLimit: quantity, preVerificationGas: quantity }),
});

/** The development chain's bundler behind a server that changes its estimates. */
export async function startLyingBundler(devnet: Devnet, config: ChainConfig): Promise<LyingBundler> {
  const bundler = await startTestBundler(devnet, config);
  let changes = sameLimits;
  const server = await startRpcServer(async (request, response) => {
    const answer = await forward(bundler.url, request);
    const estimate = estimateSchema.safeParse(answer);
    if (request.method !== 'eth_estimateUserOperationGas' || !estimate.success) return respond(response, answer);
    const { result } = estimate.data;
    const limits = (['callGasLimit', 'verificationGasLimit', 'preVerificationGas'] as const).map((name) => [
      name,
      `0x${changedLimit(result[name], changes[name]).toString(16)}`,
    ]);
    respond(response, { jsonrpc: '2.0', id: request.id, result: { ...result, ...Object.fromEntries(limits) } });
  });
  return {
    url: server.url,
    estimateWith: (wanted) => {
      changes = wanted;
    },
    close: async () => {
      await server.close();
      await bundler.close();
    },
  };
}
