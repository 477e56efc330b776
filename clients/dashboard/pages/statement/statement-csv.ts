import type { GasTankStatementItem } from '@tollfree/contract/gas-tank-statement';
import { csvLines } from '../../csv/csv-lines.ts';
import { statementHeads } from './statement-heads.ts';

/** A statement as CSV: a row for each tank, wei and USD of each head next to each other. */
export function statementCsv({ month, chainId, contract, tanks }: GasTankStatementItem): string {
  const heads = statementHeads.flatMap(({ title }) => [
    `${title} in wei`,
    `${title} in USD`,
    `${title} without a price`,
  ]);
  const elsewhere = ['Not for this paymaster', 'Not for this paymaster in wei'];
  return csvLines([
    ['Month', 'Chain', 'Contract', 'Funding wallet', 'Opening in wei', ...heads, 'Closing in wei', 'Operations'].concat(
      elsewhere,
    ),
    ...tanks.map((tank) => [
      ...[month, chainId, contract, tank.fundingWallet, tank.opening],
      ...statementHeads.flatMap(({ head }) => [tank[head].wei, tank[head].usd, tank[head].unpriced]),
      ...[tank.closing, tank.operations, tank.elsewhere.operations, tank.elsewhere.wei],
    ]),
  ]);
}
