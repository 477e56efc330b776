import type { Kysely } from 'kysely';
import type { Policy } from '../../domain/policy.ts';
import { invalidField } from '../../domain/result/invalid-field.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import type { CallRules } from '../../policies/call-rules/call-rules.ts';
import { readCallRules } from '../../policies/call-rules/read-call-rules.ts';
import type { Database } from '../../store/database.ts';
import { readRuledContracts } from '../paymasters/read-ruled-contracts.ts';

/** The rules of a proposed policy; `INVALID_FIELD` when one does not fit the contracts that are registered. */
export async function checkCallRules(
  db: Kysely<Database>,
  paymasterId: string,
  { callRules }: Pick<Policy, 'callRules'>,
): Promise<Result<CallRules>> {
  const { rules, problems } = readCallRules(callRules, await readRuledContracts(db, paymasterId, callRules));
  const [first] = problems;
  return first === undefined ? accept(rules) : invalidField(first.field, first.requirement);
}
