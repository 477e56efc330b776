import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '../base/logger.ts';
import { type Clock, createTimers, repeat, type Timers } from '../base/time/clock.ts';
import { gasScheduleOf, hasNewPrices, readGasSchedule } from '../gas/gas-schedule.ts';
import type { ChainClient } from '../node/chain-client.ts';
import { hasP256, readP256 } from '../node/p256-precompile.ts';

/** Interval of looks, in milliseconds. After a fork the old prices are used until then. */
const betweenLooks = 60_000;
/** Everything is measured again after this time, in milliseconds: a look compares only what single steps cost. */
const betweenMeasurements = 86_400_000;

/**
 * Periodically measures what gas a chain charges, and whether it has the precompile for passkeys, and logs a change of its
 * prices. Failed reads keep the previous result.
 */
export function followGasSchedule(options: {
  readonly chainId: number;
  readonly client: ChainClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timers?: Timers;
}): { close(): Promise<void> } {
  const { chainId, client, clock, logger, timers = createTimers(clock) } = options;

  let measuredAt = clock.now();

  async function look(): Promise<void> {
    const before = gasScheduleOf(client);
    const isDue = clock.now() - measuredAt >= betweenMeasurements;
    if (isDue || (await hasNewPrices(client))) {
      const read = await readGasSchedule(client);
      if (read.ok) measuredAt = clock.now();
    }
    if (hasP256(client) !== true) await readP256(client);
    const now = gasScheduleOf(client);
    if (isDeepStrictEqual(now, before)) return;
    logger.info({ chainId, fork: now.fork, before: before.fork }, 'The chain now charges other gas prices');
  }

  return repeat({ clock, timers }, betweenLooks, look, () => undefined);
}
