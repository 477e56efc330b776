import type { Generated } from 'kysely';
import type { UsageDimension } from '../domain/usage.ts';

/** What the pruned decisions of a day came to, for one key of one dimension. `charge` is wei text. */
type UsageTotalsTable = {
  paymaster_id: string;
  dimension: UsageDimension;
  /** UTC, `YYYY-MM-DD`. */
  day: string;
  key: string;
  signed: number;
  quoted: number;
  stub: number;
  refused: number;
  landed: number;
  charge: string;
  /** Of `landed` those whose worth is known, and what they come to in millionths of a USD. */
  priced: Generated<number>;
  charge_usd: Generated<number>;
};

export type UsageTables = { usage_totals: UsageTotalsTable };
