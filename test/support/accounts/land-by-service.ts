import type { Hex } from 'viem';
import { http } from 'viem';
import {
  createBundlerClient,
  formatUserOperationRequest,
  type SmartAccount,
  type UserOperation,
  type UserOperationReceipt,
} from 'viem/account-abstraction';
import { createSponsorClient } from '../../../clients/sdk/create-sponsor-client.ts';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import { delegateOf } from '../../../core/evm/entry-point/eip7702.ts';
import { targetCall } from '../chain/chain-lab.ts';
import { type ClientLab, chainClient, expectSponsored } from '../service/client-lab.ts';
import type { OpenedAccount } from './matrix-accounts.ts';

const plain = { retryCount: 0 };
const sponsorshipInfo = { webhookData: {}, smartAccountInfo: { name: 'SAFE', version: '1.4.1' } };

export type LandedByService = { readonly signed: UserOperation; readonly receipt: UserOperationReceipt };

/**
 * Lands one `increment` whose limits the service chooses, which it is asked for with the signature of `stub`; the account then signs
 * with its own. Answers the operation as it was sent.
 */
export async function landByService(
  lab: ClientLab,
  version: EntryPointVersion,
  { account, authorize }: OpenedAccount,
  stub: (account: SmartAccount) => Promise<Hex> = (one) => one.getStubSignature(),
): Promise<LandedByService> {
  const { devnet, bundler } = lab;
  const client = createBundlerClient({
    account,
    client: chainClient(devnet),
    transport: http(bundler.url, plain),
    pollingInterval: 20,
  });
  const sponsor = createSponsorClient({ url: lab.paymaster(version).rpcUrl });
  let landed: LandedByService | undefined;
  await expectSponsored(lab, version, account.address, 'permissionless', async () => {
    const isDelegated = delegateOf(await devnet.client.getCode({ address: account.address })) !== undefined;
    const prepared = await client.prepareUserOperation({
      calls: [targetCall(devnet, 'increment')],
      parameters: ['factory', 'fees', 'nonce'],
      ...(authorize === undefined || isDelegated ? {} : { authorization: await authorize() }),
    });
    const asked = { ...prepared, signature: await stub(account) };
    const answer = await sponsor.sponsorUserOperation(asked as never, { mode: 'SPONSORED', sponsorshipInfo });
    const { mode: _, paymasterAndData: packed, validUntil: __, decisionId: ___, ...fields } = answer;
    const paid = version === '0.6' ? { paymasterAndData: packed } : {};
    const complete = { ...prepared, ...fields, ...paid } as never;
    const signed = { ...(complete as UserOperation), signature: await account.signUserOperation(complete) };
    const params = [formatUserOperationRequest(signed as never), account.entryPoint.address];
    const hash = await client.request({ method: 'eth_sendUserOperation', params: params as never });
    const receipt = await client.waitForUserOperationReceipt({ hash });
    landed = { signed: signed as UserOperation, receipt };
    return receipt;
  });
  if (landed === undefined) throw new Error('Nothing was sent.');
  return landed;
}
