import type { Flags } from '../clients/cli/terminal/flags.ts';
import type { Logger } from '../core/base/logger.ts';
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
