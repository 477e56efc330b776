import { startLocalCore } from '../../../core/local.ts';
import { type Flags, loadConfig } from '../config/load-config.ts';
import { toCoreConfig } from '../config/to-core-config.ts';
import { createLogger } from '../log/logger.ts';
import { serveGrpc } from '../serve-grpc.ts';
import { runService } from '../shutdown.ts';
import { systemClock } from '../system-clock.ts';

/** `tollfree core`: the core alone, reached over gRPC. */
export async function runCore(flags: Flags): Promise<void> {
  const config = loadConfig(flags);
  const coreConfig = await toCoreConfig(config);
  const logger = createLogger(config.logLevel);
  await runService(logger, async (shutdown) => {
    const local = await startLocalCore(coreConfig, { logger, clock: systemClock });
    shutdown.onClose('core', local.close);
    const grpc = await serveGrpc({ core: local.core, grpc: config.grpc, logger });
    shutdown.onDrain('gRPC server', grpc.close);
    logger.info({ grpc: grpc.address }, 'started');
  });
}
