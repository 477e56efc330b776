import { parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import {
  fillTank,
  newSmartAccount,
  nextOperation,
  plainLimits,
  targetCall,
  walletWith,
} from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { scrape, sumOf } from '../support/metrics/scrape.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { looseGivenLimitsCheck } from '../support/service/any-clock.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import { askSponsorship, prefundOf, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';
import { isOnPostgres } from '../support/store/test-database.ts';

const version = '0.7';
const funded = parseEther('5');
/** How long the ledger may need to follow the chain on a busy machine. Each look reads all metrics. */
const patience = { timeout: 50_000, interval: 500 };
const asGiven = { calculateGasLimits: false };

describe.each(rowsOfRun(['grpc', 'local'] as const, 1))('metrics of the core, core %s', (handle) => {
  let service: RunningService;
  let paymaster: LabPaymaster;
  let walletAddress: string;

  const metrics = () => scrape(service.adminUrl);
  const location = () => ({
    chain: String(service.devnet.chainId),
    contract: service.devnet.paymasterContracts[devnetFamilies[version]],
  });
  const operationOf = async (call: 'increment' | 'fail') => {
    const account = newSmartAccount(version);
    const operation = await nextOperation(service.devnet, account, [targetCall(service.devnet, call)]);
    return { account, operation: { ...operation, ...plainLimits('undeployed') } };
  };

  beforeAll(async () => {
    service = await startService({ handle, configure: looseGivenLimitsCheck });
    paymaster = await openPaymaster(service, version);
    const wallet = await walletWith(service.devnet, parseEther('10'));
    walletAddress = wallet.address;
    await chooseWallet(paymaster, wallet);
    await fillTank(service.devnet, version, wallet, funded);
    const isThere = async () =>
      expect((await paymaster.management.readGasTank({ apiKey: paymaster.apiKey })).available).toBe(String(funded));
    await vi.waitFor(isThere, patience);
  });
  afterAll(() => service.close());

  test('answers are counted by chain, outcome, mode and reason, and a chain that a client makes up gets no series', async () => {
    const { operation } = await operationOf('fail');
    await askSponsorship(paymaster.rpcUrl, operation, asGiven);
    await askSponsorship(paymaster.rpcUrl.replace(`/${service.devnet.chainId}/`, '/987654321/'), operation, asGiven);
    const samples = await metrics();
    const { chain } = location();
    const refused = { outcome: 'refused', mode: 'SPONSORED', reason: 'METHOD_NOT_WHITELISTED' };
    expect(sumOf(samples, 'tollfree_decisions_total', { chain, ...refused })).toBe(1);
    expect(sumOf(samples, 'tollfree_decisions_total', { chain: 'other', outcome: 'refused', mode: 'none' })).toBe(1);
    expect(JSON.stringify(samples)).not.toContain('987654321');
  });

  test('holds and landed costs are exact to the wei, with their worth in USD', async () => {
    const { account, operation } = await operationOf('increment');
    const answer = await sponsor(paymaster.rpcUrl, operation, asGiven);
    const held = prefundOf(operation, answer);
    await vi.waitFor(async () => {
      const samples = await metrics();
      expect(sumOf(samples, 'tollfree_gas_tank_held_wei', location())).toBe(Number(held));
      expect(sumOf(samples, 'tollfree_contract_available_wei', location())).toBe(
        (sumOf(samples, 'tollfree_contract_deposit_wei', location()) ?? 0) - Number(held),
      );
      expect(
        sumOf(samples, 'tollfree_decisions_total', { chain: location().chain, outcome: 'signed', mode: 'SPONSORED' }),
      ).toBe(1);
    }, patience);

    const { actualGasCost } = await land(service.devnet, account, withAnswer(operation, answer));
    await vi.waitFor(async () => {
      const samples = await metrics();
      const entries = (kind: string) => sumOf(samples, 'tollfree_gas_tank_entries_wei_total', { ...location(), kind });
      expect(entries('settle')).toBe(Number(actualGasCost));
      expect(entries('release')).toBe(0);
      const landed = { ...location(), mode: 'SPONSORED' };
      expect(sumOf(samples, 'tollfree_landed_operations_total', { ...landed, success: 'yes' })).toBe(1);
      expect(sumOf(samples, 'tollfree_landed_operations_total', { ...landed, success: 'no' })).toBe(0);
      expect(sumOf(samples, 'tollfree_unpaid_wei_total', location())).toBe(0);
      // The development chain's coin is worth 2,000 USD.
      expect(sumOf(samples, 'tollfree_coin_price_usd')).toBe(2_000);
      expect(sumOf(samples, 'tollfree_cost_usd_total')).toBeCloseTo((Number(actualGasCost) / 1e18) * 2_000, 6);
      const left = funded - actualGasCost;
      expect(sumOf(samples, 'tollfree_gas_tank_available_wei', { ...location(), wallet: walletAddress })).toBe(
        Number(left),
      );
      expect(sumOf(samples, 'tollfree_gas_tank_days_left', { ...location(), wallet: walletAddress })).toBeGreaterThan(
        7,
      );
      expect(sumOf(samples, 'tollfree_gas_tanks_in_use', location())).toBe(1);
      expect(sumOf(samples, 'tollfree_gas_tanks_low', location())).toBe(0);
    }, patience);
  });

  test('nodes are named by their position, parts of the service are ready, and no address of a node is shown', async () => {
    const samples = await metrics();
    const { chain } = location();
    expect(
      sumOf(samples, 'tollfree_node_question_seconds_count', { chain, node: '1', outcome: 'answered' }),
    ).toBeGreaterThan(0);
    expect(sumOf(samples, 'tollfree_part_ready', { part: `chain ${chain}` })).toBe(1);
    expect(sumOf(samples, 'tollfree_ready')).toBe(1);
    expect(sumOf(samples, 'tollfree_core_up')).toBe(1);
    expect(sumOf(samples, 'tollfree_database_bytes', { file: 'main' })).toBeGreaterThan(0);
    const free = sumOf(samples, 'tollfree_database_disk_free_bytes');
    // The disk of a server is not this machine's.
    if (isOnPostgres) expect(free).toBeUndefined();
    else expect(free).toBeGreaterThan(0);
    expect(JSON.stringify(samples)).not.toContain(new URL(service.devnet.rpcUrl).host);
  });
});
