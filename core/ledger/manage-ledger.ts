import { BaseError } from 'viem';
import type { ChainRuntime } from '../chain/chain-runtime.ts';
import type { Core } from '../core.ts';
import type { Clock } from '../domain/clock.ts';
import type { GasTank } from '../domain/gas-tank.ts';
import { invalidField } from '../domain/invalid-field.ts';
import type { LedgerReport } from '../domain/ledger-report.ts';
import { accept, type Result, refuse } from '../domain/result.ts';
import { unixSeconds } from '../domain/unix-seconds.ts';
import type { PaymasterContract } from '../paymaster-contracts/family.ts';
import type { Store } from '../store/store.ts';
import { adjustTank } from './adjust-tank.ts';
import { checkBooksAndChain } from './check-books-and-chain.ts';
import { locateTank, type TankPlace } from './locate-tank.ts';
import { readGasTank, readGasTankEntries } from './read-gas-tank.ts';

/** The largest credit or debit: a billion coins of 18 decimals, in wei. */
const largestAdjustment = 10n ** 27n;
const longestReason = 200;
const defaultPage = 50;

type Parts = {
  readonly store: Store;
  readonly chains: ReadonlyMap<number, ChainRuntime>;
  readonly clock: Clock;
};

/** The part of `Core` that shows the books and, for the operator, checks and corrects them. */
export type Ledger = Pick<Core, 'checkLedger' | 'readGasTank' | 'listGasTankEntries' | 'adjustTank'>;

export function createLedger(parts: Parts): Ledger {
  const { store, chains, clock } = parts;
  return {
    checkLedger: () => checkLedger(parts),

    async readGasTank(owned) {
      const found = await locateTank(parts, owned);
      return found.ok ? accept(await readTankAt(parts, found.value)) : found;
    },

    async listGasTankEntries({ beforeEntryId, limit = defaultPage, ...owned }) {
      const found = await locateTank(parts, owned);
      if (!found.ok) return found;
      const { wallet, place } = found.value;
      if (wallet === undefined) return accept([]);
      const page = { limit, ...(beforeEntryId === undefined ? {} : { beforeEntryId }) };
      const key = { chainId: place.chainId, contract: place.address, wallet };
      return accept(await store.transaction((transaction) => readGasTankEntries(transaction, key, page)));
    },

    async adjustTank({ paymasterId, kind, amount, reason }) {
      if (amount <= 0n || amount > largestAdjustment) {
        return invalidField('amount', `must be from 1 to ${largestAdjustment} wei`);
      }
      if (!isReason(reason)) return invalidField('reason', `must be 1 to ${longestReason} printable characters`);
      const found = await locateTank({ store, chains }, { paymasterId });
      if (!found.ok) return found;
      const { wallet, place } = found.value;
      if (wallet === undefined) return invalidField('paymasterId', 'must be of a paymaster with a funding wallet');
      const tank = { chainId: place.chainId, contract: place.address, wallet };
      const done = await store.transaction((transaction) =>
        adjustTank(transaction, { tank, kind, amount, reason }, unixSeconds(clock)),
      );
      if (!done) {
        return refuse({
          reason: 'INSUFFICIENT_FUNDS',
          message: 'The gas tank has less than that which is neither spent nor held',
        });
      }
      return accept(await readTankAt(parts, found.value));
    },
  };
}

async function checkLedger({ store, chains }: Parts): Promise<Result<readonly LedgerReport[]>> {
  const reports: LedgerReport[] = [];
  for (const [chainId, chain] of chains) {
    for (const place of placesOf(chain)) {
      const report = await checkBooksAndChain(store, chain.client, place).catch((cause: unknown) => {
        // A rejection of the database is a fault; only what the chain's client throws is an answer that is missing.
        if (cause instanceof BaseError) return undefined;
        throw cause;
      });
      if (report === undefined) {
        return refuse({ reason: 'CHAIN_UNAVAILABLE', message: `Chain ${chainId} could not be read; try again` });
      }
      reports.push(report);
    }
  }
  return accept(reports);
}

/** The chain's paymaster contracts, each once though two versions may name it. */
function placesOf(chain: ChainRuntime): readonly PaymasterContract[] {
  const places = [...chain.contracts.values()].map(({ place }) => place);
  return [...new Map(places.map((place) => [place.address, place])).values()];
}

/** The tank; an empty one while the paymaster has no funding wallet. */
async function readTankAt({ store, chains, clock }: Parts, { wallet, place }: TankPlace): Promise<GasTank> {
  const { chainId, address: contract } = place;
  const chainDeposit = chains.get(chainId)?.watcher.view()?.deposits.get(contract);
  if (wallet === undefined) {
    const empty = { chainId, contract, funded: 0n, settled: 0n, held: 0n, available: 0n };
    return chainDeposit === undefined ? empty : { ...empty, chainDeposit };
  }
  return store.transaction((transaction) =>
    readGasTank(transaction, { chainId, contract, wallet }, chainDeposit, unixSeconds(clock)),
  );
}

function isReason(reason: string): boolean {
  return reason.trim() !== '' && reason.length <= longestReason && !/[\p{Cc}\p{Cs}]/u.test(reason);
}
