import type { ChainConfig, CoreConfig } from '../core/domain/core-config.ts';
import { openKeystore } from '../core/evm/signer/open-keystore.ts';

/**
 * Starts opening the first keystore of the configuration: that takes another thread half a second, in which the core can be
 * loaded. Chains with the same keystore share it. Other keystores wait for their chain, since each takes 256 MiB.
 */
export function beginOpening(config: CoreConfig): CoreConfig {
  const first = config.chains[0]?.signer;
  if (first?.kind !== 'keystore') return config;
  const opening = openKeystore(first.json, first.password);
  // Opening the chain reports the error; until then nothing awaits it.
  opening.catch(() => undefined);
  const share = (chain: ChainConfig): ChainConfig => {
    const { signer } = chain;
    if (signer.kind !== 'keystore' || signer.json !== first.json) return chain;
    if (signer.password.reveal() !== first.password.reveal()) return chain;
    return { ...chain, signer: { ...signer, opening } };
  };
  return { ...config, chains: config.chains.map(share) };
}
