import type { Address } from 'viem';
import { type Clock, createTimers, repeat, type Timers } from '../base/time/clock.ts';
import type { ChainConfig } from '../domain/core-config.ts';
import type { EntryPointVersion } from '../domain/entry-point-version.ts';
import type { PaymasterContractRuntime } from '../evm/paymaster-contracts/family/family.ts';
import { readSimulationCode } from '../gas/simulation/simulation-code.ts';
import type { ChainClient } from '../node/chain-client.ts';

/** Interval of the check, in milliseconds: someone may deploy the code, or a reorg may remove it. */
const betweenLooks = 10 * 60_000;

/**
 * Reads the simulation code before the first operation needs it, and again periodically. Nothing waits for it: what could
 * not be read is read by the request that needs it.
 */
export function followSimulationCode(options: {
  readonly config: Pick<ChainConfig, 'confirmations'>;
  readonly client: ChainClient;
  readonly contracts: readonly Pick<PaymasterContractRuntime, 'location' | 'family'>[];
  readonly clock: Clock;
  readonly timers?: Timers;
}): { close(): Promise<void> } {
  const { client, config, contracts, clock, timers = createTimers(clock) } = options;
  const versions = new Map<Address, EntryPointVersion>(
    contracts.map(({ location, family }) => [location.entryPoint, family.entryPointVersion]),
  );

  const look = () =>
    Promise.all(
      Array.from(versions, ([entryPoint, version]) =>
        readSimulationCode(client, config.confirmations, { entryPoint, version }),
      ),
    );

  const first = look();
  const looking = repeat({ clock, timers }, betweenLooks, look, () => undefined);
  return {
    close: async () => {
      await first;
      await looking.close();
    },
  };
}
