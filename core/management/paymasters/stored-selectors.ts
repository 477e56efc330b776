import type { Hex } from 'viem';
import { z } from 'zod';
import { readJsonColumn } from '../../store/read-json-column.ts';

const SelectorsSchema = z.array(z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]{8}$/.test(value)));

/** The selectors that the whitelist comes to, as `manageContracts` stored them. */
export function readStoredSelectors(row: {
  readonly contract_number: number;
  readonly selectors: string;
}): ReadonlySet<Hex> {
  return new Set(readJsonColumn(SelectorsSchema, row.selectors, { table: 'contracts', id: row.contract_number }));
}
