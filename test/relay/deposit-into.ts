import { parseEther } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { expect, vi } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { fillTank } from '../support/chain/chain-lab.ts';
import { readTank } from '../support/service/chain-ledger.ts';
import type { RunningService } from '../support/service/running-service.ts';

/** Fills the wallet's tank of the paymaster contract, next to that of the relay. */
export async function depositInto(service: RunningService, version: EntryPointVersion, wallet: LocalAccount) {
  const { devnet, config } = service;
  await fillTank(devnet, version, wallet, parseEther('5'));
  const contract = devnet.paymasterContracts[devnetFamilies[version]];
  await vi.waitFor(
    () => expect(readTank(config.database, contract, wallet.address).funded).toBe(parseEther('5')),
    20_000,
  );
}
