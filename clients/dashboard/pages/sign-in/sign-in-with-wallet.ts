import type { Session } from '@tollfree/contract/sign-in/session';
import { createSiweMessage } from 'viem/siwe';
import type { Connector } from 'wagmi';
import { signMessage } from 'wagmi/actions';
import { dataOf } from '../../api/data-of.ts';
import { routes } from '../../api/routes.ts';
import { connectWallet } from '../../wallet/connect-wallet.ts';
import { wagmiConfig } from '../../wallet/wagmi-config.ts';

/**
 * Sign in with Ethereum (EIP-4361): the wallet signs a message with a nonce of the service. `accountId` is the account to
 * sign in to; without it the service chooses among those of the wallet, or makes one.
 */
export async function signInWithWallet(connector: Connector, accountId?: string): Promise<Session> {
  const { address, chainId } = await connectWallet(connector);
  const nonce = await dataOf(routes.session.createNonce());
  const message = createSiweMessage({
    address,
    chainId,
    domain: nonce.domain,
    uri: nonce.uri,
    nonce: nonce.nonce,
    version: '1',
    statement: 'Sign in to Tollfree. This costs nothing and moves nothing.',
    issuedAt: new Date(nonce.issuedAt * 1_000),
    expirationTime: new Date(nonce.expiresAt * 1_000),
  });
  const signature = await signMessage(wagmiConfig, { account: address, connector, message });
  return dataOf(
    routes.session.create({ body: { message, signature, ...(accountId === undefined ? {} : { accountId }) } }),
  );
}
