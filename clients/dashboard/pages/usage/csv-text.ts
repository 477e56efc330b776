import type { UsageItem } from '@tollfree/contract/usage';

/** Usage as CSV (RFC 4180), amounts in wei, the cost in USD too. Keys are days, addresses, selectors and our own words: nothing to quote. */
export function csvText(keyTitle: string, rows: readonly UsageItem[]): string {
  const lines = rows.map(
    ({ key, decisions: { signed, quoted, stub, refused }, landed, charge, chargeUsd, unpriced, held }) =>
      [key, signed, quoted, stub, refused, landed, charge, chargeUsd, unpriced, held].join(','),
  );
  const head = `${keyTitle},Signed,Quoted,Estimated,Refused,Landed,Cost in wei,Cost in USD,Landed without a price,Held in wei`;
  return `${[head, ...lines].join('\r\n')}\r\n`;
}
