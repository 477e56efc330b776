import type { Flags } from '../clients/cli/terminal/flags.ts';
import type { Logger } from '../core/base/logger.ts';
import type { ChainConfig, CoreConfig } from '../core/domain/core-config.ts';
import { openKeystore } from '../core/evm/signer/open-keystore.ts';
import type { LocalCore } from '../core/local.ts';
import { loadConfig } from './config/load-config.ts';
import { toCoreConfig } from './config/to-core-config.ts';

/**
 * Reloads the master and signing keys of the configuration on each SIGUSR2; during startup a signal waits for the core.
 * Everything else in the configuration requires a restart, except account code (`following-known-code.ts`).
 */
export function changingKeys(flags: Flags, starting: Promise<LocalCore>, logger: Logger): Promise<LocalCore> {
  let last = Promise.resolve();
  const change = async () => {
    try {
      const local = await starting;
      await local.changeKeys(await toCoreConfig(loadConfig(flags)));
    } catch (cause) {
      logger.error({ err: cause }, 'The configuration cannot be read again, so the keys stay unchanged');
    }
  };
  process.on('SIGUSR2', () => {
    last = last.then(change);
  });
  return starting;
}

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
