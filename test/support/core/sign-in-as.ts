import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { PrivateKeyAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import type { Result } from '../../../core/domain/result/result.ts';
import type { NewSession } from '../../../core/domain/sign-in.ts';
import type { Management } from '../../../core/management/create-management.ts';
import { accepted } from './start-management.ts';

/** Signs in with a wallet from a client's address, to the account that is named or without saying to which. */
export async function signInAs(
  management: Management,
  wallet: PrivateKeyAccount,
  given: { readonly client?: string; readonly accountId?: string; readonly write?: (message: string) => string } = {},
): Promise<Result<NewSession>> {
  const { client = '203.0.113.7', accountId, write = (text) => text } = given;
  const { nonce, issuedAt } = accepted(await management.createSignInNonce());
  const origin = 'https://gas.example.org';
  const message = write(
    createSiweMessage({
      address: wallet.address,
      chainId: 137,
      domain: 'gas.example.org',
      nonce,
      uri: origin,
      version: '1',
      issuedAt: new Date(issuedAt * 1_000),
    }),
  );
  const signature = await wallet.signMessage({ message });
  return management.signInWithWallet({ message, signature, origin, client, ...omitAbsent({ accountId }) });
}
