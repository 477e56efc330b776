import { omitAbsent } from '@tollfree/contract/omit-absent';
import { devFilePath, readDevTarget } from '../clients/cli/read-dev-target.ts';
import { mistake } from '../clients/cli/terminal/cli-error.ts';
import type { Flags } from '../clients/cli/terminal/flags.ts';
import type { Core } from '../core/domain/core.ts';
import { connectCore } from '../core/grpc/client.ts';
import type { Config } from './config/config-schema.ts';
import { coreDeadlineMs } from './config/fixed-settings.ts';
import { hasOwnConfig, loadConfig, namesService, withOwnConfig } from './config/load-config.ts';
import { readClientTls, readGrpcToken } from './config/secret-files.ts';
import { asOperator } from './process/as-operator.ts';

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

/**
 * A remote core: at `core.address` of the configuration, or where a service with this configuration listens. Connects with
 * the first call.
 */
export function reachCore(config: Config): { core: Core; close(): void } {
  const connection = findCore(config);
  const { address, tokenFile } = connection;
  const token = tokenFile === undefined ? undefined : readGrpcToken(tokenFile);
  const tls = readClientTls(connection);
  try {
    return connectCore({ address, deadlineMs: coreDeadlineMs, ...omitAbsent({ token, tls }) });
  } catch (error) {
    throw mistake(`${error instanceof Error ? error.message : 'The core cannot be reached'}.`, error);
  }
}

function findCore({ core, grpc }: Config): NonNullable<Config['core']> {
  if (core !== undefined) return core;
  // With mutual TLS a client needs its own certificate, which the service's configuration does not name.
  if (grpc.listen === undefined || grpc.tls !== undefined) {
    throw mistake(
      'The configuration does not say where the core is. Set core.address, or grpc.listen of a service on this machine, like unix:core.sock, and restart it, or name the core with --core.',
    );
  }
  const { listen, tokenFile } = grpc;
  return { address: [listen], ...omitAbsent({ tokenFile }) };
}
