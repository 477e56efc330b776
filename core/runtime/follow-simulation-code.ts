import type { Address } from 'viem';
import type { Clock } from '../base/time/clock.ts';
import { createTimers, repeat, type Timers } from '../base/time/timers.ts';
import type { ChainConfig } from '../domain/core-config.ts';
import type { EntryPointVersion } from '../domain/entry-point-version.ts';
import type { PaymasterContractRuntime } from '../evm/paymaster-contracts/paymaster-contract-runtime.ts';
import { readSimulationCode } from '../gas/simulation/simulation-code.ts';
import type { ChainClient } from '../node/chain-client.ts';

/** Milliseconds from one look to the next: someone may put the code on the chain, or the chain may have lost it. */
const betweenLooks = 10 * 60_000;

/**
 * Reads with what code operations are simulated before the first of them asks, and again from time to time. No one
 * waits for it: what cannot be read is read by the request that needs it.
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
