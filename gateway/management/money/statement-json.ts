import type { GasTankDayItem, GasTankStatementItem, MoneySumItem } from '@tollfree/contract/tank/gas-tank-statement';
import type {
  GasTankDay,
  GasTankStatement,
  MoneySum,
  TankStatement,
} from '../../../core/domain/ledger/tank-statement.ts';
import { usdText } from './usd-text.ts';

/** A statement as it is answered, amounts as decimal text. */
export function statementItem({ tanks, ...statement }: GasTankStatement): GasTankStatementItem {
  return { ...statement, tanks: tanks.map(tankItem) };
}

function tankItem(tank: TankStatement): GasTankStatementItem['tanks'][number] {
  return {
    ...tank,
    opening: tank.opening.toString(),
    deposited: sumItem(tank.deposited),
    withdrawn: sumItem(tank.withdrawn),
    credited: sumItem(tank.credited),
    debited: sumItem(tank.debited),
    spent: sumItem(tank.spent),
    premium: sumItem(tank.premium),
    usersPaid: tank.usersPaid.toString(),
    closing: tank.closing.toString(),
    elsewhere: { wei: tank.elsewhere.wei.toString(), operations: tank.elsewhere.operations },
  };
}

function sumItem({ wei, usdMicros, unpriced }: MoneySum): MoneySumItem {
  return { wei: wei.toString(), usd: usdText(usdMicros), unpriced };
}

/** A day of a tank as it is answered. */
export function dayItem({ day, balance, spent }: GasTankDay): GasTankDayItem {
  return { day, balance: balance.toString(), spent: spent.toString() };
}
