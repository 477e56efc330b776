import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { loadConfig } from '../config/load-config.ts';
import { namingMistakes } from '../config-check/naming-mistakes.ts';
import { createLogger } from '../create-logger.ts';
import { startTracing } from '../process/start-tracing.ts';
import { watchProcess } from '../process/watch-process.ts';
import { serveGateway } from '../serve-gateway.ts';
import { runService } from '../shutdown.ts';
import { readCertificateExpiries } from '../watch-certificate.ts';
import { reachCore } from '../with-core.ts';

/**
 * `tollfree gateway`: only the HTTP side, with the core in another process. It starts without the core, but is not ready
 * then.
 */
export async function runGateway(flags: Flags): Promise<void> {
  const config = await namingMistakes(flags, async () => loadConfig(flags));
  const { logger, metrics } = watchProcess('gateway', createLogger(config.logLevel), readCertificateExpiries(config));
  const drainDelayMs = config.gateway.drainDelaySeconds * 1_000;
  await runService({ logger, drainDelayMs }, async (shutdown) => {
    const tracing = await startTracing(config.tracing, 'tollfree-gateway');
    shutdown.onClose('traces', tracing.close);
    const remote = reachCore(config);
    shutdown.onClose('connection to the core', remote.close);
    const gateway = await serveGateway({ core: remote.core, config, logger, own: metrics });
    shutdown.onDrain('gateway', gateway.close);
    logger.info({ url: gateway.url, adminUrl: gateway.adminUrl, core: config.core?.address }, 'started');
  });
}
