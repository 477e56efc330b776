import { minBigint } from '../../base/values/integers.ts';
import type { ChainFunds } from './hold-request.ts';

/** What the ledger says of a tank, in wei. */
type TankSums = { readonly funded: bigint; readonly settled: bigint; readonly held: bigint };

/**
 * What a tank can still promise, in wei: the least of its own rest, the contract's deposit less all that is held on the
 * contract, and, where the contract keeps a balance for each customer, that balance less what is held. Below 0 when the
 * chain no longer has what is held already (its owner has withdrawn): then nothing is promised, not even once more.
 */
export function availableWei(tank: TankSums, heldOnContract: bigint, funds: ChainFunds): bigint {
  const rest = minBigint(tank.funded - tank.settled - tank.held, funds.chainDeposit - heldOnContract);
  return funds.walletBalance === undefined ? rest : minBigint(rest, funds.walletBalance - tank.held);
}
