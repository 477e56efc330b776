import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Core } from '../../core/domain/core.ts';
import { connectCore } from '../../core/grpc/client.ts';
import { mistake } from './cli-error.ts';
import type { Config } from './config/config-schema.ts';
import { readClientTls } from './config/grpc-tls.ts';

/** The core of another process, at the address of the configuration. Connects with the first call. */
export function reachCore(config: Config): { core: Core; close(): void } {
  if (config.core === undefined) {
    throw mistake(
      'core.address is missing in the configuration. Name the core with --core, like --core 127.0.0.1:50051.',
    );
  }
  const { address, deadlineMs } = config.core;
  const tls = readClientTls(config.core);
  try {
    return connectCore({ address, deadlineMs, ...omitAbsent({ tls }) });
  } catch (error) {
    throw mistake(`${error instanceof Error ? error.message : 'The core cannot be reached'}.`, error);
  }
}
