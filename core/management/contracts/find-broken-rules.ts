import type { Kysely, Transaction } from 'kysely';
import type { Policy } from '../../domain/policy.ts';
import { readCallRules } from '../../policies/call-rules/read-call-rules.ts';
import { readCalledLimits } from '../../policies/called-limits/read-called-limits.ts';
import { parsePolicy } from '../../policies/policy-text.ts';
import type { Database } from '../../store/database.ts';
import { RowError } from '../../store/row-error.ts';
import { readRuledContracts } from '../paymasters/read-ruled-contracts.ts';

/**
 * What of the rules and limits of the paymaster's policies does not fit a contract (by its lower-case address) as it is registered after
 * a change: a sentence each, and no field where all do. A policy that cannot be read sponsors nothing, and is told of
 * elsewhere.
 */
export async function findBrokenRules(
  trx: Transaction<Database>,
  paymasterId: string,
  address: string,
): Promise<{ readonly brokenRules?: readonly string[] }> {
  const brokenRules: string[] = [];
  for (const { prefix, rules, limits } of await readAllRules(trx, paymasterId)) {
    const contracts = await readRuledContracts(trx, paymasterId, [...rules, ...limits]);
    const problems = [...readCallRules(rules, contracts).problems, ...readCalledLimits(limits, contracts).problems];
    for (const { contract, field, requirement } of problems) {
      if (contract.toLowerCase() === address) brokenRules.push(`${prefix}${field} ${requirement}`);
    }
  }
  return brokenRules.length === 0 ? {} : { brokenRules };
}

/** Those of the default policy, and of the named ones with what says which. */
async function readAllRules(db: Kysely<Database>, paymasterId: string) {
  const own = await db.selectFrom('policies').select('policy').where('paymaster_id', '=', paymasterId).execute();
  const named = await db
    .selectFrom('named_policies')
    .select(['name', 'policy'])
    .where('paymaster_id', '=', paymasterId)
    .orderBy('name')
    .execute();
  return [
    ...own.map(({ policy }) => ({ prefix: '', ...rulesOf(policy, paymasterId) })),
    ...named.map(({ name, policy }) => ({ prefix: `policy ${name}: `, ...rulesOf(policy, name) })),
  ];
}

function rulesOf(policy: string, id: string): { rules: Policy['callRules']; limits: Policy['limits'] } {
  try {
    const { callRules: rules, limits } = parsePolicy(policy, id);
    return { rules, limits };
  } catch (error) {
    if (error instanceof RowError) return { rules: [], limits: [] };
    throw error;
  }
}
