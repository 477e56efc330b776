import { type Hex, isHex } from 'viem';
import { z } from 'zod';
import { forward, type RpcServer, respond, startRpcServer } from '../support/servers/json-rpc-server.ts';

const quantity = z.custom<Hex>((value) => isHex(value)).transform((value) => BigInt(value));
const answerSchema = z.object({
  result: z.object({ callGasLimit: quantity, verificationGasLimit: quantity, preVerificationGas: quantity }),
});
export type BundlerEstimate = z.output<typeof answerSchema>['result'];

/** Hands all requests on to a bundler, and keeps the gas limits that it answered. */
export async function watchEstimates(
  bundlerUrl: string,
): Promise<RpcServer & { readonly estimates: readonly BundlerEstimate[] }> {
  const estimates: BundlerEstimate[] = [];
  const server = await startRpcServer(async (request, response) => {
    const answer = await forward(bundlerUrl, request);
    const estimate = answerSchema.safeParse(answer);
    if (request.method === 'eth_estimateUserOperationGas' && estimate.success) estimates.push(estimate.data.result);
    respond(response, answer);
  });
  return { ...server, estimates };
}
