import { networkOf } from './text/chain-name.ts';

/** A filled dot for a main network, a ring for a test network. */
export function NetworkDot({ chainId }: { readonly chainId: number }) {
  const network = networkOf(chainId);
  return <span className={`network ${network}`} title={network === 'test' ? 'Test network' : 'Main network'} />;
}
