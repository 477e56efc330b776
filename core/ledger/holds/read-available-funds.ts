import { maxBigint, minBigint } from '../../base/values/integers.ts';
import type { Store } from '../../store/store.ts';
import { fromWeiText } from '../../store/wei.ts';
import { type ChainFunds, type HoldRequest, operationKeyOf } from './hold-request.ts';
import { isLive } from './live-holds.ts';

/** What funds are requested for: an operation and the tank that would pay for it. */
export type FundsRequest = ChainFunds & Pick<HoldRequest, 'tank' | 'policy' | 'sender' | 'nonce'>;

/**
 * The most that could be held for an operation now, in wei, by the rules of `holdBatch`: what its tank and its contract's
 * deposit have left, and what is held for the same nonce already. Nothing is held, so it may be used by another request a
 * moment later.
 */
export async function readAvailableFunds(store: Store, request: FundsRequest): Promise<bigint> {
  const { chainId, contract, wallet } = request.tank;
  const tank = await store.db
    .selectFrom('tanks_with_held as tanks')
    .innerJoin('contract_totals_with_held as total', (join) =>
      join.onRef('total.chain_id', '=', 'tanks.chain_id').onRef('total.contract', '=', 'tanks.contract'),
    )
    .select(['tanks.tank_id', 'tanks.funded', 'tanks.settled', 'tanks.held', 'total.held as held_on_contract'])
    .where('tanks.chain_id', '=', chainId)
    .where('tanks.contract', '=', contract)
    .where('tanks.wallet', '=', wallet)
    .executeTakeFirst();
  if (tank === undefined) return 0n;
  const live = await store.db
    .selectFrom('holds')
    .select('amount')
    .where('tank_id', '=', tank.tank_id)
    .where('operation_key', '=', operationKeyOf(request))
    .where('paymaster_id', '=', request.policy.paymasterId)
    .where('policy_id', '=', request.policy.policyId)
    .where(isLive)
    .executeTakeFirst();
  const alreadyHeld = live === undefined ? 0n : fromWeiText(live.amount);
  const available = availableWei(toTankSums(tank), fromWeiText(tank.held_on_contract), request);
  return available < 0n ? 0n : available + alreadyHeld;
}

/** The ledger's sums for a tank, in wei. */
type TankSums = { readonly funded: bigint; readonly settled: bigint; readonly held: bigint };

/** The sums of a row of `tanks_with_held`. */
export function toTankSums(row: Readonly<Record<keyof TankSums, string>>): TankSums {
  return { funded: fromWeiText(row.funded), settled: fromWeiText(row.settled), held: fromWeiText(row.held) };
}

/**
 * How much a tank can still set aside, in wei: the least of what is left in it, the contract's deposit less all that is held
 * on the contract, and, where the contract keeps a balance for each customer, that balance less what is held. Below 0 when
 * what is held already exceeds what is on chain (its owner has withdrawn): then nothing is granted, not even a second time.
 */
export function availableWei(tank: TankSums, heldOnContract: bigint, funds: ChainFunds): bigint {
  // What a tank lacks because the chain took what was held refuses new holds, and no repetition of those that are there.
  const ofTank = maxBigint(tank.funded - tank.settled - tank.held, 0n);
  const rest = minBigint(ofTank, funds.chainDeposit - heldOnContract);
  return funds.walletBalance === undefined ? rest : minBigint(rest, funds.walletBalance - tank.held);
}
