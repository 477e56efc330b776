import { beginOpening } from '../begin-opening.ts';
import { type Flags, loadConfig } from '../config/load-config.ts';
import { toCoreConfig } from '../config/to-core-config.ts';
import { createLogger } from '../log/logger.ts';
import { runService } from '../shutdown.ts';
import { systemClock } from '../system-clock.ts';

/** `tollfree core`: the core alone, reached over gRPC. */
export async function runCore(flags: Flags): Promise<void> {
  const config = loadConfig(flags);
  const coreConfig = beginOpening(await toCoreConfig(config));
  const logger = createLogger(config.logLevel);
  await runService(logger, async (shutdown) => {
    // Both are loaded while the signing key is being opened, which takes another thread half a second.
    const [{ startLocalCore }, { serveGrpc }] = await Promise.all([
      import('../../../core/local.ts'),
      import('../serve-grpc.ts'),
    ]);
    const local = await startLocalCore(coreConfig, { logger, clock: systemClock });
    shutdown.onClose('core', local.close);
    const grpc = await serveGrpc({ core: local.core, grpc: config.grpc, logger });
    shutdown.onDrain('gRPC server', grpc.close);
    logger.info({ grpc: grpc.address }, 'started');
  });
}
