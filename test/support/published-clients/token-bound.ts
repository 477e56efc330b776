import { createPimlicoClient } from 'permissionless/clients/pimlico';
import { type Address, decodeFunctionData, type Hex, hexToBigInt, http, size, slice } from 'viem';
import { entryPoint06Abi, entryPoint07Abi } from 'viem/account-abstraction';
import { vi } from 'vitest';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { readLanded } from './biconomy-bundler.ts';

/** What is needed of a quote of `pimlico_getTokenQuotes` to know the most that an operation can cost. */
export type TokenRate = { readonly postOpGas: bigint; readonly exchangeRate: bigint };

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

/**
 * The most that an operation can cost at this rate with the limits it landed with, in base units of the token. They are
 * read on the chain: alto does not find operations with the EIP-7702 marker by their hash.
 */
export async function tokenBound(
  { client }: Devnet,
  sent: { readonly bundlerUrl: string; readonly hash: Hex },
  { postOpGas, exchangeRate }: TokenRate,
): Promise<bigint> {
  const { transactionHash } = await vi.waitFor(() => readLanded(sent.bundlerUrl, sent.hash), { timeout: 30_000 });
  const { input } = await client.getTransaction({ hash: transactionHash });
  const { gas, maxFeePerGas } = landedLimits(input);
  return ((gas + postOpGas) * maxFeePerGas * exchangeRate) / 10n ** 18n;
}

/** The sum of the limits, and the price, of the one operation in a call of `handleOps`. */
function landedLimits(input: Hex): { readonly gas: bigint; readonly maxFeePerGas: bigint } {
  const decoded = decodeFunctionData({ abi: [...entryPoint06Abi, ...entryPoint07Abi], data: input });
  if (decoded.functionName !== 'handleOps') throw new Error('The operation is in no bundle.');
  const [operation] = decoded.args[0];
  if (operation === undefined) throw new Error('The bundle is empty.');
  if ('maxFeePerGas' in operation) {
    const { callGasLimit, verificationGasLimit, preVerificationGas, maxFeePerGas } = operation;
    return { gas: callGasLimit + verificationGasLimit + preVerificationGas, maxFeePerGas };
  }
  const { accountGasLimits, gasFees, paymasterAndData, preVerificationGas } = operation;
  const halves = (word: Hex) => [hexToBigInt(slice(word, 0, 16)), hexToBigInt(slice(word, 16, 32))] as const;
  const [verificationGasLimit, callGasLimit] = halves(accountGasLimits);
  const [, maxFeePerGas] = halves(gasFees);
  const ofPaymaster = size(paymasterAndData) === 0 ? ([0n, 0n] as const) : halves(slice(paymasterAndData, 20, 52));
  const gas = verificationGasLimit + callGasLimit + preVerificationGas + ofPaymaster[0] + ofPaymaster[1];
  return { gas, maxFeePerGas };
}
