import { devFilePath, readDevTarget } from '../clients/cli/read-dev-target.ts';
import type { Flags } from '../clients/cli/terminal/flags.ts';
import { hasOwnConfig, namesService, withOwnConfig } from './config/own-config.ts';

/**
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
