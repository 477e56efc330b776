import type { TankStatementItem } from '@tollfree/contract/gas-tank-statement';
import { roundParts } from '../../parts/text/whole-cents.ts';
import { microsOf, type Stated, usdOfMicros } from './statement-matrix.ts';

/**
 * A statement whose USD is in whole cents, so that the parts that a page shows add up to the sums that it shows. What you paid,
 * what users paid and each other entry are rounded as sums, as on other pages, and then divided among the payers.
 */
export function inCents<Statement extends Stated>(statement: Statement): Statement {
  const { tanks, vendor } = statement;
  const users = roundParts(tanks.map(({ usersPaid }) => microsOf(usersPaid.usd)));
  const byYou = tanks.map(({ spent, usersPaid }) => microsOf(spent.usd) - microsOf(usersPaid.usd));
  const own = roundParts(vendor === undefined ? byYou : [...byYou, microsOf(vendor.worstCaseUsd)]);
  const of = (head: 'premium' | 'deposited' | 'withdrawn' | 'credited' | 'debited') => {
    const rounded = roundParts(tanks.map((tank) => microsOf(tank[head].usd)));
    return (tank: TankStatementItem, index: number) => ({ ...tank[head], usd: usdOfMicros(rounded[index] ?? 0n) });
  };
  const [premium, deposited, withdrawn] = [of('premium'), of('deposited'), of('withdrawn')];
  const [credited, debited] = [of('credited'), of('debited')];
  return {
    ...statement,
    tanks: tanks.map((tank, index) => {
      const byUsers = users[index] ?? 0n;
      return {
        ...tank,
        spent: { ...tank.spent, usd: usdOfMicros((own[index] ?? 0n) + byUsers) },
        usersPaid: { ...tank.usersPaid, usd: usdOfMicros(byUsers) },
        premium: premium(tank, index),
        deposited: deposited(tank, index),
        withdrawn: withdrawn(tank, index),
        credited: credited(tank, index),
        debited: debited(tank, index),
      };
    }),
    ...(vendor === undefined ? {} : { vendor: { ...vendor, worstCaseUsd: usdOfMicros(own.at(-1) ?? 0n) } }),
  };
}
