import type { UsageItem } from '@tollfree/contract/usage';
import { csvLines } from '../../csv/csv-lines.ts';

/** Usage as CSV, amounts in wei, the cost in USD too. */
export function csvText(keyTitle: string, rows: readonly UsageItem[]): string {
  const counts = ['Signed', 'Quoted', 'Estimated', 'Refused', 'Landed'];
  const money = ['Cost in wei', 'Cost in USD', 'Landed without a price', 'Held in wei'];
  return csvLines([
    [keyTitle, ...counts, ...money],
    ...rows.map(({ key, decisions: { signed, quoted, stub, refused }, landed, charge, chargeUsd, unpriced, held }) => [
      ...[key, signed, quoted, stub, refused, landed],
      ...[charge, chargeUsd, unpriced, held],
    ]),
  ]);
}
