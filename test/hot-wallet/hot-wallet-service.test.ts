import { type Address, getAddress } from 'viem';
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Secret } from '../../core/base/values/secret.ts';
import type { ChainConfig } from '../../core/domain/core-config.ts';
import type { LocalKeyConfig } from '../../core/domain/signer-config.ts';
import { accepted } from '../../server/accepted.ts';
import { type Devnet, devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { fillTank, walletWith } from '../support/chain/chain-lab.ts';
import { leaseDevnet, leasedSignerKey } from '../support/chain/lease-devnet.ts';
import { scrape, sumOf } from '../support/metrics/scrape.ts';
import { transfer } from '../support/relay/relay-lab.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import { freshKey, type RunningService, startService } from '../support/service/running-service.ts';
import { depositRule, ether, executorRule, version } from './hot-wallet-lab.ts';

const patience = { timeout: 30_000, interval: 50 };
const key = freshKey();
const hotWallet = privateKeyToAccount(key);
const executor = privateKeyToAccount(freshKey());

/** The hot wallet in the configuration of a chain that relays. */
function withHotWallet(
  chain: ChainConfig,
  wallet: LocalKeyConfig = { kind: 'raw', privateKey: new Secret(key) },
): ChainConfig {
  const relay = {
    kind: 'ALTO',
    url: 'http://127.0.0.1:9',
    executors: [executor.address],
    entryPoint: version,
  } as const;
  const rules = { executors: executorRule, deposits: depositRule };
  return { ...chain, pollIntervalMs: 50, relay, hotWallet: { wallet, maxPerDay: ether('50'), ...rules } };
}

describe('a service with a hot wallet', () => {
  let service: RunningService;
  let devnet: Devnet;
  let relay: Address;
  let contract: Address;
  let paymaster: LabPaymaster;
  let wallet: LocalAccount;

  beforeAll(async () => {
    service = await startService({
      configure: async (config, chain) => {
        await chain.client.setBalance({ address: hotWallet.address, value: ether('100') });
        return { ...config, chains: config.chains.map((one) => withHotWallet(one)) };
      },
    });
    devnet = service.devnet;
    relay = getAddress(devnet.entryPoints[version]);
    contract = getAddress(devnet.paymasterContracts[devnetFamilies[version]]);
    paymaster = await openPaymaster(service, version);
    wallet = await walletWith(devnet, ether('100'));
    await chooseWallet(paymaster, wallet);
  });
  afterAll(() => service.close());

  const reportOf = async (address: Address) => {
    const reports = accepted(await service.core.checkLedger({ allRows: true }));
    return reports.find((report) => report.contract === address);
  };
  const available = async () =>
    BigInt((await paymaster.management.readGasTank({ apiKey: paymaster.apiKey })).available);

  test('tops up executors and deposits, and the ledger of both stays exact to the wei', async () => {
    await vi.waitFor(async () => {
      expect(await reportOf(relay)).toMatchObject({ hotWalletDeposits: ether('3'), bookDeposit: ether('3') });
      const report = await reportOf(contract);
      expect(report?.bookDeposit).toBe(depositRule.to);
      expect(report?.hotWalletDeposits).toBeGreaterThan(0n);
    }, patience);
    for (const address of [relay, contract]) {
      const report = await reportOf(address);
      expect(report).toMatchObject({ state: 'compared', difference: 0n, faults: [], funded: 0n });
      expect(report?.strayDeposits.filter(({ sender }) => sender === hotWallet.address)).toEqual([]);
    }
  });

  test('credits no tank for it, not even that of a wallet that sends to the same place', async () => {
    expect(await available()).toBe(0n);
    await fillTank(devnet, version, wallet, ether('1'));
    await transfer(devnet, wallet, { to: executor.address, value: ether('0.5') });
    await vi.waitFor(async () => {
      expect(await available()).toBe(ether('1'));
      expect(await reportOf(relay)).toMatchObject({ funded: ether('0.5'), hotWalletDeposits: ether('3') });
    }, patience);
  });

  test('has a tenant provoke refills and gain nothing: the coin of the operator is in no tank', async () => {
    // As if a bundler, or the tenant's own operations, had used up the executor's coin.
    const before = await devnet.client.getBalance({ address: hotWallet.address });
    await devnet.client.setBalance({ address: executor.address, value: ether('0.1') });
    await vi.waitFor(async () => {
      expect(await devnet.client.getBalance({ address: executor.address })).toBe(ether('3'));
    }, patience);
    expect(await available()).toBe(ether('1'));
    expect((await reportOf(relay))?.funded).toBe(ether('0.5'));
    expect(await devnet.client.getBalance({ address: hotWallet.address })).toBeLessThan(before);
  });

  test('shows what counts for the cap, and that nothing is blocked', async () => {
    await vi.waitFor(async () => {
      const samples = await scrape(service.adminUrl);
      expect(sumOf(samples, 'tollfree_hot_wallet_max_per_day_wei')).toBe(Number(ether('50')));
      expect(sumOf(samples, 'tollfree_hot_wallet_sent_wei')).toBeGreaterThan(Number(ether('5')));
      expect(sumOf(samples, 'tollfree_hot_wallet_blocked')).toBe(0);
      expect(sumOf(samples, 'tollfree_hot_wallet_wei', { wallet: hotWallet.address })).toBeGreaterThan(0);
      expect(JSON.stringify(samples)).not.toContain(key.slice(2));
    }, patience);
  });
});

describe('a service does not start', () => {
  let devnet: Devnet;
  beforeAll(async () => {
    devnet = await leaseDevnet();
  });
  afterAll(() => devnet.close());

  const startWith = (change: (chain: ChainConfig) => ChainConfig) =>
    startService({ devnet, configure: (config) => ({ ...config, chains: config.chains.map(change) }) });

  test('if the hot wallet is also a signer', async () => {
    const wallet = { kind: 'raw', privateKey: new Secret(leasedSignerKey) } as const;
    await expect(startWith((chain) => withHotWallet(chain, wallet))).rejects.toThrow(
      /also a signer of chain .* Give the hot wallet a key of its own/,
    );
  });

  test('if the hot wallet is also an executor', async () => {
    const change = (chain: ChainConfig): ChainConfig => {
      const { relay, ...rest } = withHotWallet(chain);
      return relay === undefined ? rest : { ...rest, relay: { ...relay, executors: [hotWallet.address] } };
    };
    await expect(startWith(change)).rejects.toThrow(/also an executor of chain/);
  });

  test('if the hot wallet is to top up executors and the chain has no relay', async () => {
    const change = (chain: ChainConfig): ChainConfig => {
      const { relay: _, ...rest } = withHotWallet(chain);
      return rest;
    };
    await expect(startWith(change)).rejects.toThrow(/needs a relay/);
  });
});
