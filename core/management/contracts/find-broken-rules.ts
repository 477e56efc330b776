import { maxSelectors } from '@tollfree/contract/limits';
import { type Kysely, sql, type Transaction } from 'kysely';
import { inOwnTurn } from '../../base/time/in-own-turn.ts';
import type { Owned } from '../../domain/access/actor.ts';
import type { Policy } from '../../domain/policy.ts';
import { invalidField, type Result } from '../../domain/result/result.ts';
import { countSelectors, readNamedContracts } from '../../paymasters/sponsored-contracts.ts';
import { readCallRules } from '../../policies/call-rules/call-rules.ts';
import { readCalledLimits } from '../../policies/called-limits.ts';
import { readPolicyAt } from '../../policies/policy-text.ts';
import type { Database } from '../../store/database.ts';
import { ownPaymasterId } from '../../store/own-paymaster.ts';
import type { Store } from '../../store/store.ts';
import { RowError } from '../../store/store-error.ts';

/**
 * The rules and limits of the paymaster's policies that do not match a contract (by lower-case address) after it was
 * registered or deleted: one sentence each; the field is absent if all match. An unreadable policy sponsors nothing and is
 * reported elsewhere. Called after the change is committed, so that nothing else waits; later policy changes report it
 * themselves.
 */
export async function findBrokenRules(
  { db }: Pick<Store, 'db'>,
  owned: Owned,
  address: string,
): Promise<{ readonly brokenRules?: readonly string[] }> {
  const brokenRules: string[] = [];
  const isOfAddress = ({ contract }: { readonly contract?: string }) => contract?.toLowerCase() === address;
  for (const { policyId, prefix } of await findPoliciesNaming(db, owned.paymasterId, address)) {
    const policy = await readPolicy(db, owned, policyId);
    if (policy === undefined) continue;
    const { callRules, limits, methodGas } = policy;
    const ofAddress = {
      callRules: callRules.filter(isOfAddress),
      limits: limits.filter(isOfAddress),
      methodGas: methodGas.filter(isOfAddress),
    };
    const contracts = await readNamedContracts(db, owned, ofAddress);
    const problems = await inOwnTurn(owned.accountId, () => [
      ...readCallRules(callRules, contracts.ruled).problems,
      ...readCalledLimits(limits, contracts.called, methodGas).problems,
    ]);
    for (const { field, requirement } of problems.filter(isOfAddress)) {
      brokenRules.push(`${prefix}${field} ${requirement}`);
    }
  }
  return brokenRules.length === 0 ? {} : { brokenRules };
}

/** The policies whose text contains the address, the default one first; others need not be read. */
async function findPoliciesNaming(db: Kysely<Database>, paymasterId: string, address: string) {
  const naming = sql<boolean>`lower(policy) LIKE ${`%${address}%`}`;
  const own = await db
    .selectFrom('policies')
    .select('paymaster_id')
    .where('paymaster_id', '=', paymasterId)
    .where(naming)
    .execute();
  const named = await db
    .selectFrom('named_policies')
    .select(['policy_id', 'name'])
    .where('paymaster_id', '=', paymasterId)
    .where(naming)
    .orderBy('name')
    .execute();
  return [
    ...own.map(() => ({ policyId: '', prefix: '' })),
    ...named.map(({ policy_id: policyId, name }) => ({ policyId, prefix: `policy ${name}: ` })),
  ];
}

async function readPolicy(
  db: Kysely<Database>,
  { accountId, paymasterId }: Owned,
  policyId: string,
): Promise<Policy | undefined> {
  await inOwnTurn(accountId, () => undefined);
  try {
    return await readPolicyAt(db, { paymasterId, policyId });
  } catch (error) {
    if (error instanceof RowError) return undefined;
    throw error;
  }
}

/** Refuses a whitelist of the contract at `address` if the paymaster would exceed `maxSelectors`. `selectors` as stored. */
export async function checkSelectors(
  trx: Transaction<Database>,
  owned: Owned,
  { address, selectors }: { readonly address: string; readonly selectors: string },
): Promise<Result<never> | undefined> {
  const others = await trx
    .selectFrom('contracts')
    .select(({ fn }) => fn<number>('length', ['selectors']).as('length'))
    .where('paymaster_id', '=', ownPaymasterId(trx, owned))
    .where('address', '<>', address)
    .execute();
  const count = others.reduce((sum, { length }) => sum + countSelectors(length), 0);
  if (count + countSelectors(selectors.length) <= maxSelectors) return undefined;
  return invalidField(
    'whitelistedMethods',
    `must leave the contracts of the paymaster with at most ${maxSelectors} methods together, overloads included. The others have ${count}`,
  );
}
