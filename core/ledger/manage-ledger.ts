import { defaultPageSize, maxAdjustmentReason } from '@tollfree/contract/limits';
import type { Core } from '../domain/core.ts';
import type { GasTank } from '../domain/gas-tank.ts';
import type { LedgerReport } from '../domain/ledger-report.ts';
import { invalidField } from '../domain/result/invalid-field.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { Clock } from '../domain/time/clock.ts';
import { unixSeconds } from '../domain/time/unix-seconds.ts';
import { omitAbsent } from '../domain/values/omit-absent.ts';
import type { FollowedChain } from '../node/followed-chain.ts';
import type { Store } from '../store/store.ts';
import { type CheckedPlace, checkBooksAndChain } from './checking/check-books-and-chain.ts';
import { adjustTank } from './tanks/adjust-tank.ts';
import { locateTank, type TankPlace } from './tanks/locate-tank.ts';
import { readFormerTanks } from './tanks/read-former-tanks.ts';
import { readGasTank, readGasTankEntries } from './tanks/read-gas-tank.ts';
import { readTankFunds } from './tanks/read-tank-funds.ts';

/** The largest credit or debit: a billion coins of 18 decimals, in wei. */
const maxAdjustment = 10n ** 27n;

type Parts = {
  readonly store: Store;
  readonly chains: ReadonlyMap<number, FollowedChain>;
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
      return found.ok ? accept(await readTankAndFormer(parts, owned.paymasterId, found.value)) : found;
    },

    async listGasTankEntries({ beforeEntryId, limit = defaultPageSize, ...owned }) {
      const found = await locateTank(parts, owned);
      if (!found.ok) return found;
      const { wallet, place } = found.value;
      if (wallet === undefined) return accept([]);
      const page = { limit, ...omitAbsent({ beforeEntryId }) };
      const key = { chainId: place.chainId, contract: place.address, wallet };
      return accept(await store.transaction((transaction) => readGasTankEntries(transaction, key, page)));
    },

    async adjustTank({ paymasterId, kind, amount, reason }) {
      if (amount <= 0n || amount > maxAdjustment) {
        return invalidField('amount', `must be from 1 to ${maxAdjustment} wei`);
      }
      if (!isReason(reason)) return invalidField('reason', `must be 1 to ${maxAdjustmentReason} printable characters`);
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

/** Every configured paymaster contract; one whose chain does not answer says so and keeps no other from being checked. */
async function checkLedger({ store, chains }: Parts): Promise<Result<readonly LedgerReport[]>> {
  const checks = [...chains.values()].flatMap((chain) =>
    placesOf(chain).map((place) => checkBooksAndChain(store, chain.client, place)),
  );
  return accept(await Promise.all(checks));
}

/** The chain's paymaster contracts, each once though two versions may name it. */
function placesOf(chain: FollowedChain): readonly CheckedPlace[] {
  const places = new Map<string, CheckedPlace>();
  for (const { place, family } of chain.contracts.values()) {
    const customers = family.customerFunding ?? places.get(place.address)?.customers;
    places.set(place.address, { place, ...omitAbsent({ customers }) });
  }
  return [...places.values()];
}

/** The tank, and those of earlier funding wallets. */
async function readTankAndFormer(parts: Parts, paymasterId: string, place: TankPlace): Promise<GasTank> {
  const tank = await readTankAt(parts, place);
  const { wallet } = place;
  if (wallet === undefined) return tank;
  const key = { chainId: place.place.chainId, contract: place.place.address, wallet };
  const formerTanks = await parts.store.transaction((transaction) => readFormerTanks(transaction, paymasterId, key));
  return formerTanks.length === 0 ? tank : { ...tank, formerTanks };
}

/** The tank; an empty one while the paymaster has no funding wallet. */
async function readTankAt({ store, chains, clock }: Parts, tank: TankPlace): Promise<GasTank> {
  const { chainId, address: contract } = tank.place;
  const { wallet } = tank;
  const funds = await readTankFunds(chains.get(chainId), tank);
  if (wallet === undefined) {
    const empty = { chainId, contract, funded: 0n, settled: 0n, held: 0n, available: 0n };
    return funds.chainDeposit === undefined ? empty : { ...empty, chainDeposit: funds.chainDeposit };
  }
  return store.transaction((transaction) =>
    readGasTank(transaction, { chainId, contract, wallet }, funds, unixSeconds(clock)),
  );
}

function isReason(reason: string): boolean {
  return reason.trim() !== '' && reason.length <= maxAdjustmentReason && !/[\p{Cc}\p{Cs}]/u.test(reason);
}
