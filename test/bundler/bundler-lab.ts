import { type Address, getAddress } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { expect, vi } from 'vitest';
import type { DevPaymaster } from '../../clients/cli/dev/dev-file.ts';
import type { Devnet } from '../../clients/cli/dev/devnet/devnet.ts';
import { startDevnet } from '../../clients/cli/dev/devnet/start-devnet.ts';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { deploySimple7702Account } from '../support/chain/eip7702-lab.ts';
import { leasedSignerKey } from '../support/chain/lease-devnet.ts';
import { readTank } from '../support/service/chain-books.ts';
import { startService } from '../support/service/running-service.ts';
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
  const delegate = await deploySimple7702Account(devnet);
  const bundler = await startAlto(devnet);
  const watched = await watchEstimates(bundler.url);
  const asked = estimates === 'own' ? {} : { bundlerUrl: watched.url };
  const service = await startService({
    devnet,
    configure: (config) => ({ ...config, chains: config.chains.map((chain) => ({ ...chain, ...asked })) }),
  });
  const { authToken } = await service.issueAccount();
  const paymasters = new Map<EntryPointVersion, DevPaymaster>();
  for (const [index, version] of entryPointVersions.entries()) {
    paymasters.set(version, await service.fundedPaymaster(authToken, version, index + 1));
  }
  for (const { address, fundingWallet } of paymasters.values()) {
    const readFunded = () => readTank(service.config.databaseFile, address, fundingWallet).funded;
    await vi.waitFor(() => expect(readFunded()).toBeGreaterThan(0n), { timeout: 20_000 });
  }
  return {
    devnet,
    bundler,
    delegate: getAddress(delegate),
    estimates: watched.estimates,
    paymaster: (version) => {
      const paymaster = paymasters.get(version);
      if (paymaster === undefined) throw new Error(`There is no paymaster for EntryPoint ${version}.`);
      return paymaster;
    },
    close: async () => {
      await service.close();
      await watched.close();
      await bundler.close();
      await devnet.close();
    },
  };
}
