import { type Address, parseAbi } from 'viem';
import { coreMetrics } from '../../base/metrics/core-metrics.ts';
import type { Metric } from '../../base/metrics/metric-registry.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { ChainRuntime } from '../../sponsorship/run/chain-runtime.ts';
import { gauge } from './gauge.ts';

/** Only the operator changes stakes, and rarely. In milliseconds. */
const servesMs = 600_000;

/** The same in every EntryPoint. */
const stakeAbi = parseAbi([
  'function getDepositInfo(address account) view returns (uint256 deposit, bool staked, uint112 stake, uint32 unstakeDelaySec, uint48 withdrawTime)',
]);

type Stake = { readonly chainId: number; readonly contract: Address; readonly stake: bigint };

/** Reads the stakes of all paymaster contracts, cached for ten minutes. Silent nodes are left out. */
export function createStakeReader(chains: ReadonlyMap<number, ChainRuntime>, clock: Clock): () => Promise<Metric> {
  let last: { readonly stakes: readonly Stake[]; readonly at: number } | undefined;

  return async () => {
    if (last === undefined || Math.abs(clock.now() - last.at) >= servesMs) {
      const read = await Promise.allSettled([...chains.values()].flatMap((chain) => stakesOf(chain)));
      const stakes = read.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      if (stakes.length < read.length) return toMetric(stakes);
      last = { stakes, at: clock.now() };
    }
    return toMetric(last.stakes);
  };
}

function stakesOf({ config: { chainId }, client, contracts }: ChainRuntime): readonly Promise<Stake>[] {
  const locations = new Map([...contracts.values()].map(({ location }) => [location.address, location]));
  return [...locations.values()].map(async ({ address, entryPoint }) => {
    const args = [address] as const;
    const [, isStaked, stake] = await client.readContract({
      ...{ address: entryPoint, abi: stakeAbi, functionName: 'getDepositInfo', args },
    });
    return { chainId, contract: address, stake: isStaked ? stake : 0n };
  });
}

function toMetric(stakes: readonly Stake[]): Metric {
  return gauge(coreMetrics.stake, stakes, ({ chainId, contract, stake }) => ({
    labels: { chain: String(chainId), contract },
    value: Number(stake),
  }));
}
