import { omitAbsent } from '@tollfree/contract/omit-absent';
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

/** `tollfree node`: gateway and core in one process, and gRPC for internal services if configured. */
export async function runNode(flags: Flags): Promise<void> {
  const { config, coreConfig } = await namingMistakes(flags, async () => {
    const config = loadConfig(flags);
    return { config, coreConfig: beginOpening(await toCoreConfig(config)) };
  });
  const { logger, metrics } = watchProcess('node', createLogger(config.logLevel), readCertificateExpiries(config));
  const drainDelayMs = config.gateway.drainDelaySeconds * 1_000;
  await runService({ logger, drainDelayMs }, async (shutdown) => {
    const tracing = await startTracing(config.tracing, 'tollfree-node');
    shutdown.onClose('traces', tracing.close);
    // Everything is loaded while the signing key is being opened, which takes another thread half a second.
    const { listen } = config.grpc;
    const [{ startLocalCore }, { serveGateway }, server] = await Promise.all([
      import('../../core/local.ts'),
      import('../serve-gateway.ts'),
      listen === undefined ? undefined : import('../serve-grpc.ts'),
    ]);
    const local = await changingKeys(
      flags,
      startLocalCore(coreConfig, { logger, clock: systemClock, others: metrics, name: processName() }),
      logger,
    );
    shutdown.onClose('core', local.close);
    shutdown.onClose('known code', followKnownCode(flags, config, { core: local, logger }).close);
    const grpc =
      listen === undefined ? undefined : await server?.serveGrpc({ ...config, core: local.core, listen, logger });
    if (grpc !== undefined) shutdown.onDrain('gRPC server', grpc.close);
    const gateway = await serveGateway({ core: local.core, config, logger });
    shutdown.onDrain('gateway', gateway.close);
    logger.info({ url: gateway.url, adminUrl: gateway.adminUrl, ...omitAbsent({ grpc: grpc?.address }) }, 'started');
  });
}
