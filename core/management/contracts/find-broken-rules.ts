import type { Transaction } from 'kysely';
import { readCallRules } from '../../policies/call-rules/read-call-rules.ts';
import { readStoredPolicy } from '../../policies/stored-policy.ts';
import type { Database } from '../../store/database.ts';
import { RowError } from '../../store/row-error.ts';
import { readRuledContracts } from '../paymasters/read-ruled-contracts.ts';

/**
 * What of the policy's rules does not fit a contract (by its lower-case address) as it is registered after a change: a
 * sentence each, and no field where all do. A policy that cannot be read sponsors nothing, and is told of elsewhere.
 */
export async function findBrokenRules(
  trx: Transaction<Database>,
  paymasterId: string,
  address: string,
): Promise<{ readonly brokenRules?: readonly string[] }> {
  try {
    const { callRules } = await readStoredPolicy(trx, paymasterId);
    const { problems } = readCallRules(callRules, await readRuledContracts(trx, paymasterId, callRules));
    const ofContract = problems.filter(({ contract }) => contract.toLowerCase() === address);
    const brokenRules = ofContract.map(({ field, requirement }) => `${field} ${requirement}`);
    return brokenRules.length === 0 ? {} : { brokenRules };
  } catch (error) {
    if (error instanceof RowError) return {};
    throw error;
  }
}
