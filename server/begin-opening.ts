import type { ChainConfig, CoreConfig } from '../core/domain/core-config.ts';
import { openKeystore } from '../core/evm/signer/open-keystore.ts';

/**
 * The configuration, its first keystore being opened already: that takes another thread half a second, in which the
 * core can be loaded. Chains with the same keystore share it. Others wait for their chain, since each takes 256 MiB.
 */
export function beginOpening(config: CoreConfig): CoreConfig {
  const first = config.chains[0]?.signer;
  if (first?.kind !== 'keystore') return config;
  const opening = openKeystore(first.json, first.password);
  // Anyone who opens the chain meets the error. Until then no one waits for it.
  opening.catch(() => undefined);
  const share = (chain: ChainConfig): ChainConfig => {
    const { signer } = chain;
    if (signer.kind !== 'keystore' || signer.json !== first.json) return chain;
    if (signer.password.reveal() !== first.password.reveal()) return chain;
    return { ...chain, signer: { ...signer, opening } };
  };
  return { ...config, chains: config.chains.map(share) };
}
