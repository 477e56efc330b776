import type { Flags } from '../clients/cli/terminal/flags.ts';
import type { Logger } from '../core/base/logger.ts';
import type { LocalCore } from '../core/local.ts';
import { loadConfig } from './config/load-config.ts';
import { toCoreConfig } from './config/to-core-config.ts';

/**
 * The core that is starting, which takes the master and signing keys of the configuration again on each SIGUSR2; one
 * that comes while it starts waits for it. Everything else in the configuration waits for a restart, except account code
 * (`following-known-code.ts`).
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
