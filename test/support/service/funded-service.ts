import { expect, vi } from 'vitest';
import type { ChainConfig } from '../../../core/domain/core-config.ts';
import { type EntryPointVersion, entryPointVersions } from '../../../core/domain/entry-point-version.ts';
import type { DevPaymaster } from '../../../server/dev/dev-file.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { readTank } from './chain-ledger.ts';
import { startService } from './running-service.ts';

/** A service on a chain that the test has started, with a funded paymaster for every EntryPoint. */
export type FundedService = {
  readonly chain: ChainConfig;
  paymaster(version: EntryPointVersion): DevPaymaster;
  close(): Promise<void>;
};

export async function startFundedService(
  devnet: Devnet,
  change: (chain: ChainConfig) => ChainConfig = (chain) => chain,
): Promise<FundedService> {
  const service = await startService({
    devnet,
    configure: (config) => ({ ...config, chains: config.chains.map(change) }),
  });
  const [chain] = service.config.chains;
  if (chain === undefined) throw new Error('The service has no chain.');
  const { authToken } = await service.issueAccount();
  const paymasters = new Map<EntryPointVersion, DevPaymaster>();
  for (const [index, version] of entryPointVersions.entries()) {
    paymasters.set(version, await service.fundedPaymaster(authToken, version, index + 1));
  }
  for (const { address, fundingWallet } of paymasters.values()) {
    const readFunded = () => readTank(service.config.database, address, fundingWallet).funded;
    await vi.waitFor(() => expect(readFunded()).toBeGreaterThan(0n), { timeout: 20_000 });
  }
  return {
    chain,
    paymaster: (version) => {
      const paymaster = paymasters.get(version);
      if (paymaster === undefined) throw new Error(`There is no paymaster for EntryPoint ${version}.`);
      return paymaster;
    },
    close: () => service.close(),
  };
}
