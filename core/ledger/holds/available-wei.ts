import { minBigint } from '../../base/values/integers.ts';
import type { ChainFunds } from './hold-request.ts';

/** The ledger's sums for a tank, in wei. */
type TankSums = { readonly funded: bigint; readonly settled: bigint; readonly held: bigint };

/**
 * How much a tank can still set aside, in wei: the least of what is left in it, the contract's deposit less all that is held
 * on the contract, and, where the contract keeps a balance for each customer, that balance less what is held. Below 0 when
 * what is held already exceeds what is on chain (its owner has withdrawn): then nothing is granted, not even a second time.
 */
export function availableWei(tank: TankSums, heldOnContract: bigint, funds: ChainFunds): bigint {
  const rest = minBigint(tank.funded - tank.settled - tank.held, funds.chainDeposit - heldOnContract);
  return funds.walletBalance === undefined ? rest : minBigint(rest, funds.walletBalance - tank.held);
}
