import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Selectable, Transaction } from 'kysely';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { GasTank } from '../../domain/gas-tank.ts';
import type { TankLowRule } from '../../domain/notification.ts';
import { locateTank } from '../../ledger/tanks/locate-tank.ts';
import { readGasTank, readTankFunds } from '../../ledger/tanks/read-gas-tank.ts';
import { readTankLow } from '../../management/notifications/stored-notification.ts';
import { notificationLimits, queueDelivery, readEvents } from '../../outbox/queue-delivery.ts';
import type { ChainRuntime } from '../../sponsorship/run/sponsorship-parts.ts';
import type { Database } from '../../store/database.ts';
import type { Store } from '../../store/store.ts';

type Parts = {
  readonly store: Store;
  readonly chains: ReadonlyMap<number, ChainRuntime>;
  readonly clock: Clock;
};

/** The part of a tank's state that a rule needs. */
type TankState = Pick<GasTank, 'chainId' | 'contract' | 'fundingWallet' | 'available' | 'daysLeft'>;

/** Checks every tank that has a threshold, one paymaster after the other, each in its own transaction. */
export async function checkTanks(parts: Parts, isStopped: () => boolean = () => false): Promise<void> {
  let reached = '';
  for (;;) {
    const page = await parts.store.db
      .selectFrom('notifications')
      .select('paymaster_id')
      .distinct()
      .where((row) => row.or([row('tank_low_wei', 'is not', null), row('tank_low_days', 'is not', null)]))
      .where('paymaster_id', '>', reached)
      .orderBy('paymaster_id')
      .limit(notificationLimits.tankPage)
      .execute();
    for (const { paymaster_id } of page) {
      if (isStopped()) return;
      await checkTank(parts, paymaster_id);
    }
    const last = page.at(-1);
    if (last === undefined) return;
    reached = last.paymaster_id;
  }
}

/**
 * Queues `tank.low` for destinations whose threshold the tank has just crossed, and re-arms those whose threshold it is
 * above again. Does nothing while the contract's deposit is unknown: a silent node does not mean an empty tank.
 */
async function checkTank(parts: Parts, paymasterId: string): Promise<void> {
  const { store, chains, clock } = parts;
  const located = await locateTank({ store, chains }, { paymasterId });
  if (!located.ok) return;
  const { wallet, location } = located.value;
  const { chainId, address: contract } = location;
  const funds = await readTankFunds(chains.get(chainId), located.value);
  if (funds.chainDeposit === undefined) return;
  const now = unixSeconds(clock);
  await store.transaction(async (trx) => {
    const tank: TankState =
      wallet === undefined
        ? { chainId, contract, available: 0n }
        : await readGasTank(trx, { chainId, contract, wallet }, funds, now);
    const rows = await trx
      .selectFrom('notifications')
      .selectAll()
      .where('paymaster_id', '=', paymasterId)
      .where('active', '=', 1)
      .execute();
    for (const row of rows) await compare(trx, row, tank, now);
  });
}

async function compare(
  trx: Transaction<Database>,
  row: Selectable<Database['notifications']>,
  tank: TankState,
  now: number,
): Promise<void> {
  const { notification_id: notificationId, paymaster_id: paymasterId } = row;
  const tankLow = readTankLow(row);
  if (tankLow === undefined || !readEvents(row).includes('tank.low')) return;
  const low = isLow(tank, tankLow);
  if (low === (row.tank_is_low === 1)) return;
  await trx
    .updateTable('notifications')
    .set({ tank_is_low: low ? 1 : 0 })
    .where('notification_id', '=', notificationId)
    .execute();
  if (!low) return;
  const { chainId, available, ...rest } = tank;
  const { thresholdWei, ...rule } = tankLow;
  const data = {
    contract: rest.contract,
    ...omitAbsent({ fundingWallet: rest.fundingWallet }),
    available: available.toString(),
    ...omitAbsent({ daysLeft: rest.daysLeft }),
    tankLow: { ...omitAbsent({ thresholdWei: thresholdWei?.toString() }), ...rule },
  };
  await queueDelivery(trx, notificationId, { type: 'tank.low', paymasterId, chainId, data }, now);
}

function isLow(tank: TankState, { thresholdWei, daysLeft }: TankLowRule): boolean {
  if (thresholdWei !== undefined && tank.available < thresholdWei) return true;
  return daysLeft !== undefined && tank.daysLeft !== undefined && tank.daysLeft < daysLeft;
}
