import type { BundlerExposure } from '../../core/domain/chain-config.ts';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { startTestBundler, type TestBundler } from '../support/chain/test-bundler.ts';
import { createRecordingLogger } from '../support/logging/recording-logger.ts';
import { withModularAccounts } from '../support/published-clients/to-modular-account.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

/** A service that hands operations to a bundler which no client knows, and funded paymasters of one account. */
export type OneUrlLab = {
  readonly service: RunningService;
  readonly devnet: Devnet;
  readonly authToken: string;
  readonly bundler: TestBundler;
  readonly log: ReturnType<typeof createRecordingLogger>['lines'];
  paymaster(version: EntryPointVersion): DevPaymaster;
  close(): Promise<void>;
};

/** With gRPC between gateway and core. */
export async function openOneUrlLab(expose: BundlerExposure): Promise<OneUrlLab> {
  const { logger, lines: log } = createRecordingLogger();
  let bundler: TestBundler | undefined;
  const service = await startService({
    handle: 'grpc',
    logger,
    configure: async (config, devnet) => {
      const [chain] = config.chains;
      if (chain === undefined) throw new Error('The service has no chain.');
      bundler = await startTestBundler(devnet, chain);
      return withModularAccounts({
        ...config,
        chains: [{ ...chain, bundler: { urls: [bundler.url], expose, asksForLimits: true } }],
      });
    },
  });
  if (bundler === undefined) throw new Error('There is no bundler.');
  const { close, ...started } = bundler;
  const { authToken } = await service.issueAccount();
  const paymasters = new Map<EntryPointVersion, DevPaymaster>();
  for (const [index, version] of entryPointVersions.entries()) {
    paymasters.set(version, await service.fundedPaymaster(authToken, version, index + 1));
  }
  return {
    service,
    devnet: service.devnet,
    authToken,
    bundler: { ...started, close },
    log,
    paymaster: (version) => {
      const paymaster = paymasters.get(version);
      if (paymaster === undefined) throw new Error(`There is no paymaster for EntryPoint ${version}.`);
      return paymaster;
    },
    close: async () => {
      await service.close();
      await close();
    },
  };
}
