import type { pmGetPaymasterData } from '@tollfree/contract/rpc/pm-get-paymaster-data';
import type { Hex } from 'viem';
import type { GetPaymasterDataParameters, GetPaymasterDataReturnType } from 'viem/account-abstraction';
import { paymasterDataParams, readPaymasterData06, readPaymasterData07 } from './paymaster-fields.ts';
import { readEither } from './read-form.ts';
import { checkResult, type SponsorConnection } from './sponsor-connection.ts';

const method = 'pm_getPaymasterData' satisfies typeof pmGetPaymasterData.method;

const readPaymasterData = readEither(readPaymasterData07, readPaymasterData06);

/**
 * Signed paymaster fields. The signature binds the gas limits of the operation; if the service estimated or raised them,
 * they are included and must be put into the operation.
 */
export type PaymasterData = GetPaymasterDataReturnType & {
  readonly callGasLimit?: bigint | undefined;
  readonly verificationGasLimit?: bigint | undefined;
  readonly preVerificationGas?: bigint | undefined;
  /** With `parallelSigning`: the part that bundlers append and the account does not sign. */
  readonly paymasterSignature?: Hex | undefined;
  /** Unix seconds until which the signature is valid; 281474976710655 if it has no end. Not a field of the operation. */
  readonly validUntil: number;
};

/**
 * `pm_getPaymasterData` (ERC-7677): signed paymaster fields for an operation whose gas limits are final. With
 * `calculateGasLimits: true` in the context, limits that are all missing are estimated, a verification limit that cannot suffice
 * is raised, and both are returned. Without it the latter is refused. Parameters and answer are viem's; `context` is a
 * `PaymasterContext`.
 *
 * @example
 * const signed = await getPaymasterData(client, {
 *   ...userOperation,
 *   chainId: 137,
 *   entryPointAddress: entryPoint07Address,
 *   context: { sponsorshipInfo: { webhookData: { user: 'u-1' } } },
 * });
 */
export async function getPaymasterData(
  client: SponsorConnection,
  parameters: GetPaymasterDataParameters,
): Promise<PaymasterData> {
  const answer = await client.call(method, paymasterDataParams(parameters));
  return checkResult(answer, readPaymasterData);
}
