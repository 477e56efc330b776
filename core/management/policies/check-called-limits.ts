import type { Kysely } from 'kysely';
import type { Policy } from '../../domain/policy.ts';
import { invalidField } from '../../domain/result/invalid-field.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import type { CalledLimits } from '../../policies/called-limits/called-limits.ts';
import { readCalledLimits } from '../../policies/called-limits/read-called-limits.ts';
import type { Database } from '../../store/database.ts';
import { readRuledContracts } from '../paymasters/read-ruled-contracts.ts';

/** Which calls the limits of a proposed policy count; `INVALID_FIELD` when one does not fit the contracts that are registered. */
export async function checkCalledLimits(
  db: Kysely<Database>,
  paymasterId: string,
  { limits }: Pick<Policy, 'limits'>,
): Promise<Result<CalledLimits>> {
  const read = readCalledLimits(limits, await readRuledContracts(db, paymasterId, limits));
  const [first] = read.problems;
  return first === undefined ? accept(read.limits) : invalidField(first.field, first.requirement);
}
