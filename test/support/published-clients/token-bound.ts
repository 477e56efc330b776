import { createPimlicoClient } from 'permissionless/clients/pimlico';
import { type Address, type Hex, http, isHex } from 'viem';
import { z } from 'zod';
import type { Devnet } from '../../../clients/cli/dev/devnet/devnet.ts';
import { rpcCall } from '../../../clients/cli/dev/rpc-call.ts';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';

/** What is needed of a quote of `pimlico_getTokenQuotes` to know the most that an operation can cost. */
export type TokenRate = { readonly postOpGas: bigint; readonly exchangeRate: bigint };

const amount = z.custom<Hex>((value) => isHex(value)).transform((value) => BigInt(value));
const sentSchema = z.object({
  userOperation: z.object({
    callGasLimit: amount,
    verificationGasLimit: amount,
    preVerificationGas: amount,
    paymasterVerificationGasLimit: amount.nullish(),
    paymasterPostOpGasLimit: amount.nullish(),
    maxFeePerGas: amount,
  }),
});

/** The service's rate for a token. */
export async function readTokenRate(
  { client, entryPoints }: Devnet,
  { url, version, token }: { readonly url: string; readonly version: EntryPointVersion; readonly token: Address },
): Promise<TokenRate> {
  const entryPoint = { address: entryPoints[version], version };
  const paymaster = createPimlicoClient({ chain: client.chain, transport: http(url, { retryCount: 0 }), entryPoint });
  const [quote] = await paymaster.getTokenQuotes({ tokens: [token], chain: client.chain });
  if (quote === undefined) throw new Error('The token was not quoted.');
  return quote;
}

/** The most that an operation can cost at this rate with the limits it was sent with, in base units of the token. */
export async function tokenBound(bundlerUrl: string, hash: Hex, rate: TokenRate): Promise<bigint> {
  const { userOperation } = await rpcCall(bundlerUrl, 'eth_getUserOperationByHash', [hash], sentSchema);
  const { callGasLimit, verificationGasLimit, preVerificationGas, maxFeePerGas } = userOperation;
  const paymasterGas =
    (userOperation.paymasterVerificationGasLimit ?? 0n) + (userOperation.paymasterPostOpGasLimit ?? 0n);
  const gas = callGasLimit + verificationGasLimit + preVerificationGas + paymasterGas + rate.postOpGas;
  return (gas * maxFeePerGas * rate.exchangeRate) / 10n ** 18n;
}
