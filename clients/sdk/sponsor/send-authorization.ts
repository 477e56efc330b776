import type { tollfreeSendAuthorization } from '@tollfree/contract/rpc/tollfree-send-authorization';
import type { Address, Hex } from 'viem';
import { chainIdHex, readHex } from './read-form.ts';
import { checkResult, type SponsorConnection } from './sponsor-connection.ts';
import type { PaymasterContext } from './sponsorship-context.ts';
import { type AuthorizationRequest, toWireAuthorization } from './user-operation-request.ts';

const method = 'tollfree_sendAuthorization' satisfies typeof tollfreeSendAuthorization.method;

export type SendAuthorizationParameters = {
  /** As viem's `signAuthorization` returns it, for this chain and with the account's current nonce. */
  readonly authorization: AuthorizationRequest;
  readonly chainId: number;
  readonly entryPointAddress: Address;
  readonly context?: PaymasterContext | undefined;
};

/**
 * `tollfree_sendAuthorization`: delegates an account's code (EIP-7702), or removes its delegate. The operator sends it soon;
 * the account has the delegate once its code shows it. Returns the hash of the authorization.
 *
 * @example
 * const authorization = await account.signAuthorization({ address: zeroAddress, chainId, nonce });
 * await sendAuthorization(client, { authorization, chainId, entryPointAddress: entryPoint08Address });
 */
export async function sendAuthorization(
  client: SponsorConnection,
  { authorization, chainId, entryPointAddress, context = {} }: SendAuthorizationParameters,
): Promise<Hex> {
  const params = [toWireAuthorization(authorization), entryPointAddress, chainIdHex(chainId), context];
  return checkResult(await client.call(method, params), readHex);
}
