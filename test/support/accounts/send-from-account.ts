import { type Hex, http, maxUint256 } from 'viem';
import { createBundlerClient, createPaymasterClient } from 'viem/account-abstraction';
import { delegateOf } from '../../../core/evm/entry-point/eip7702.ts';
import type { Devnet, DevnetToken } from '../../../server/dev/devnet/devnet.ts';
import { approveCall, targetCall } from '../chain/chain-lab.ts';
import { chainClient } from '../service/client-lab.ts';
import type { OpenedAccount } from './matrix-accounts.ts';

const plain = { retryCount: 0 };

type Fees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };

/** Sends one `increment` of an account with viem's client, sponsored or paid in a token, and answers the operation's hash. */
export async function sendFromAccount(
  devnet: Devnet,
  { account, authorize }: OpenedAccount,
  asked: {
    readonly bundlerUrl: string;
    readonly paymaster: { readonly rpcUrl: string; readonly address: Hex };
    readonly token?: DevnetToken;
    readonly fees?: () => Promise<Fees>;
  },
): Promise<Hex> {
  const { bundlerUrl, paymaster, token, fees } = asked;
  const client = createBundlerClient({
    account,
    client: chainClient(devnet),
    transport: http(bundlerUrl, plain),
    paymaster: createPaymasterClient({ transport: http(paymaster.rpcUrl, plain) }),
    ...(token === undefined ? {} : { paymasterContext: { token: token.address } }),
    ...(fees === undefined ? {} : { userOperation: { estimateFeesPerGas: fees } }),
    pollingInterval: 20,
  });
  const increment = targetCall(devnet, 'increment');
  const calls = token === undefined ? [increment] : [approveCall(token, paymaster.address, maxUint256), increment];
  const isDelegated = delegateOf(await devnet.client.getCode({ address: account.address })) !== undefined;
  const authorization = authorize === undefined || isDelegated ? {} : { authorization: await authorize() };
  return client.sendUserOperation({ calls, ...authorization });
}
