import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { Core } from '../../domain/core.ts';
import { accept } from '../../domain/result/result.ts';
import { readUtcDays } from '../../domain/utc-days.ts';
import type { FollowedChain } from '../../node/followed-chain.ts';
import type { Store } from '../../store/store.ts';
import { locateTank } from '../tanks/locate-tank.ts';
import { readStatement } from './read-statement.ts';
import { readTankDays } from './read-tank-days.ts';
import { readUpstreamSum } from './read-upstream-sum.ts';
import { readStatementMonth } from './statement-month.ts';

/** The part of the ledger that tells what became of a tank over time, read in the thread that reads. */
export function createStatements(parts: {
  readonly store: Store;
  readonly chains: ReadonlyMap<number, FollowedChain>;
  readonly clock: Clock;
}): Pick<Core, 'listGasTankDays' | 'readGasTankStatement'> {
  const { store, clock } = parts;
  return {
    async listGasTankDays({ from, until, ...owned }) {
      const days = readUtcDays(omitAbsent({ from, until }), unixSeconds(clock));
      if (!days.ok) return days;
      const found = await locateTank(parts, owned);
      if (!found.ok) return found;
      const { wallet, location } = found.value;
      if (wallet === undefined) return accept([]);
      const key = { chainId: location.chainId, contract: location.address, wallet };
      return accept(await store.read((snapshot) => readTankDays(snapshot, key, days.value)));
    },

    async readGasTankStatement({ month: asked, ...owned }) {
      const span = readStatementMonth(asked, unixSeconds(clock));
      if (!span.ok) return span;
      const found = await locateTank(parts, owned);
      if (!found.ok) return found;
      const { wallet, location, customers } = found.value;
      const { month, from, until } = span.value;
      const { chainId, address: contract } = location;
      if (wallet === undefined) return accept({ month, chainId, contract, tanks: [] });
      const { paymasterId } = owned;
      const of = { paymasterId, chainId, contract, wallet, keepsBalances: customers !== undefined, from, until };
      const { tanks, upstream } = await store.read(async (snapshot) => ({
        tanks: await readStatement(snapshot, of),
        upstream: await readUpstreamSum(snapshot, of),
      }));
      return accept({ month, chainId, contract, tanks, ...omitAbsent({ upstream }) });
    },
  };
}
