import { startLocalCore } from '../../core/local.ts';
import { openDevState } from '../../server/dev/dev-state.ts';
import { systemClock } from '../../server/system-clock.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { type BenchChain, benchCoreConfig } from './bench-core-config.ts';
import { type GatewayAddresses, startBenchGateway } from './gateway.ts';

/** What another core at the database of the first one is told: the keys are in the folder of the state. */
export type SecondCore = { readonly folder: string; readonly chain: BenchChain };

/** One more core with its gateway, as a process of its own. Posts where it listens. */
process.once('message', async (message) => {
  const { folder, chain } = message as SecondCore;
  const config = benchCoreConfig(chain, openDevState(folder));
  const local = await startLocalCore(config, { logger: silentLogger, clock: systemClock, name: `core ${process.pid}` });
  const gateway = await startBenchGateway(local.core);
  const location: GatewayAddresses = { url: gateway.url, adminUrl: gateway.adminUrl };
  process.send?.(location);
  process.once('disconnect', () => {
    void gateway
      .close()
      .then(() => local.close())
      .then(() => process.exit(0));
  });
});
