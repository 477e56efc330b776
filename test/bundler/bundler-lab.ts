import { type Address, getAddress } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import type { DevPaymaster } from '../../clients/cli/dev/dev-file.ts';
import type { Devnet } from '../../clients/cli/dev/devnet/devnet.ts';
import { startDevnet } from '../../clients/cli/dev/devnet/start-devnet.ts';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { leasedSignerKey } from '../support/chain/lease-devnet.ts';
import { startFundedService } from '../support/service/funded-service.ts';
import { type Alto, startAlto } from './start-alto.ts';
import { type BundlerEstimate, watchEstimates } from './watch-estimates.ts';

/** A chain with alto on it, a service with a funded paymaster for every EntryPoint, and code to delegate to. */
export type BundlerLab = {
  readonly devnet: Devnet;
  readonly bundler: Alto;
  readonly delegate: Address;
  /** Gas limits that the bundler answered the service, in order. */
  readonly estimates: readonly BundlerEstimate[];
  paymaster(version: EntryPointVersion): DevPaymaster;
  close(): Promise<void>;
};

/** `estimates`: whether the service asks the bundler for gas limits too. */
export async function openBundlerLab(estimates: 'own' | 'of the bundler too'): Promise<BundlerLab> {
  const devnet = await startDevnet({ port: 0, paymasterSigner: privateKeyToAddress(leasedSignerKey) });
  const delegate = devnet.simple7702Account;
  const bundler = await startAlto(devnet);
  const watched = await watchEstimates(bundler.url);
  const asked = estimates === 'own' ? {} : { bundlerUrl: watched.url };
  const service = await startFundedService(devnet, asked);
  return {
    devnet,
    bundler,
    delegate: getAddress(delegate),
    estimates: watched.estimates,
    paymaster: service.paymaster,
    close: async () => {
      await service.close();
      await watched.close();
      await bundler.close();
      await devnet.close();
    },
  };
}
