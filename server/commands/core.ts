import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { beginOpening, changingKeys } from '../changing-keys.ts';
import { loadConfig } from '../config/load-config.ts';
import { toCoreConfig } from '../config/to-core-config.ts';
import { namingMistakes } from '../config-check/naming-mistakes.ts';
import { createLogger } from '../create-logger.ts';
import { followKnownCode } from '../following-known-code.ts';
import { processName } from '../process/read-build.ts';
import { startTracing } from '../process/start-tracing.ts';
import { watchProcess } from '../process/watch-process.ts';
import { runService } from '../shutdown.ts';
import { systemClock } from '../system-clock.ts';
import { readCertificateExpiries } from '../watch-certificate.ts';

/** `tollfree core`: only the core, reachable over gRPC. */
export async function runCore(flags: Flags): Promise<void> {
  const { config, plainConfig } = await namingMistakes(flags, async () => {
    const config = loadConfig(flags);
    return { config, plainConfig: await toCoreConfig(config) };
  });
  const { listen } = config.grpc;
  if (listen === undefined) {
    throw mistake(
      'grpc.listen is missing in the configuration. A separate core is reached over gRPC; set it to a unix socket.',
    );
  }
  const coreConfig = beginOpening(plainConfig);
  const { logger, metrics } = watchProcess('core', createLogger(config.logLevel), readCertificateExpiries(config));
  await runService({ logger }, async (shutdown) => {
    const tracing = await startTracing(config.tracing, 'tollfree-core');
    shutdown.onClose('traces', tracing.close);
    // Both are loaded while the signing key is being opened, which takes another thread half a second.
    const [{ startLocalCore }, { serveGrpc }] = await Promise.all([
      import('../../core/local.ts'),
      import('../serve-grpc.ts'),
    ]);
    const local = await changingKeys(
      flags,
      startLocalCore(coreConfig, { logger, clock: systemClock, others: metrics, name: processName() }),
      logger,
    );
    shutdown.onClose('core', local.close);
    shutdown.onClose('known code', followKnownCode(flags, config, { core: local, logger }).close);
    const grpc = await serveGrpc({ core: local.core, listen, grpc: config.grpc, logger });
    shutdown.onDrain('gRPC server', grpc.close);
    logger.info({ grpc: grpc.address }, 'started');
  });
}
