import { devFilePath, readDevTarget } from '../clients/cli/read-dev-target.ts';
import type { Flags } from '../clients/cli/terminal/flags.ts';
import type { Core } from '../core/domain/core.ts';
import { hasOwnConfig, loadConfig, namesService, withOwnConfig } from './config/load-config.ts';
import { asOperator } from './process/as-operator.ts';
import { reachCore } from './reach-core.ts';

/** Works with the configured running core. */
export async function withCore<T>(flags: Flags, work: (core: Core) => Promise<T>): Promise<T> {
  const { core, close } = reachCore(loadConfig(withOwnService(flags)));
  try {
    return await asOperator(() => work(core));
  } finally {
    close();
  }
}

/**
 *
 *
 * The flags of a command for a running core. If neither flag nor variable names one: the configuration of the working
 * directory, else the core of the `tollfree dev` that runs there.
 */
export function withOwnService(flags: Flags): Flags {
  if (namesService(flags) || hasOwnConfig(flags)) return withOwnConfig(flags);
  const dev = readDevTarget();
  if (dev === undefined) return flags;
  process.stderr.write(`Using the development service at ${dev.gatewayUrl} (${devFilePath}).\n`);
  return { ...flags, core: dev.grpcAddress, coreTokenFile: dev.grpcTokenFile };
}
