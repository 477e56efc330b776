import { omitAbsent } from '@tollfree/contract/omit-absent';
import { mistake } from '../clients/cli/terminal/cli-error.ts';
import type { Core } from '../core/domain/core.ts';
import { connectCore } from '../core/grpc/client.ts';
import type { Config } from './config/config-schema.ts';
import { coreDeadlineMs } from './config/fixed-settings.ts';
import { readClientTls } from './config/grpc-tls.ts';
import { readGrpcToken } from './config/secret-files.ts';

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
