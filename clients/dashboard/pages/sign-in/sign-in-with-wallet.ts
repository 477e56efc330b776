import type { Session } from '@tollfree/contract/sign-in/session';
import { dataOf } from '../../api/data-of.ts';
import { routes } from '../../api/routes.ts';
import type { Wallet } from '../../wallet/wallets.ts';

/**
 * Sign in with Ethereum (EIP-4361): the wallet signs a message with a nonce of the service. `accountId` is the account to
 * sign in to; without it the service chooses among the wallet's accounts, or creates one.
 */
export async function signInWithWallet(wallet: Wallet, accountId?: string): Promise<Session> {
  const { connectWallet, createSiweMessage } = await import('../../wallet/wallet-client.ts');
  const { client, address, sign } = await connectWallet(wallet);
  const nonce = await dataOf(routes.session.createNonce());
  const message = createSiweMessage({
    address,
    chainId: await client.getChainId(),
    domain: nonce.domain,
    uri: nonce.uri,
    nonce: nonce.nonce,
    version: '1',
    statement: 'Sign in to Tollfree. This costs nothing and moves nothing.',
    issuedAt: new Date(nonce.issuedAt * 1_000),
    expirationTime: new Date(nonce.expiresAt * 1_000),
  });
  const signature = await sign(message);
  return dataOf(
    routes.session.create({ body: { message, signature, ...(accountId === undefined ? {} : { accountId }) } }),
  );
}
