import type { LimitWindow, PolicyLimit } from '../domain/policy.ts';
import { fixedStatement, type RowOf, type Statement } from '../store/statements/fixed-statement.ts';
import { RowError } from '../store/store-error.ts';
import { type PolicyKey, policyKey } from './policy-key.ts';
import { parsePolicy } from './policy-text.ts';

const hourSeconds = 3_600;
const daySeconds = 86_400;
const weekSeconds = 7 * daySeconds;
/** 1 January 1970 was a Thursday; three days before it a week began. */
const mondayOffset = 3 * daySeconds;

/** Start of the window that contains the moment, in Unix seconds, by the UTC calendar; 0 for `ever`. */
export function windowStart(window: LimitWindow, moment: number): number {
  switch (window) {
    case 'hour':
      return moment - (moment % hourSeconds);
    case 'day':
      return moment - (moment % daySeconds);
    case 'week':
      return Math.max(0, moment - ((moment + mondayOffset) % weekSeconds));
    case 'month': {
      const date = new Date(moment * 1000);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / 1000;
    }
    case 'ever':
      return 0;
  }
}

/** Start of the next window, in Unix seconds; undefined for `ever`. `start` is the result of `windowStart`. */
export function windowEnd(window: LimitWindow, start: number): number | undefined {
  switch (window) {
    case 'hour':
      return start + hourSeconds;
    case 'day':
      return start + daySeconds;
    case 'week':
      // The week of the epoch began before it.
      return start === 0 ? weekSeconds - mondayOffset : start + weekSeconds;
    case 'month': {
      const date = new Date(start * 1000);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000;
    }
    case 'ever':
      return undefined;
  }
}

/** The limits of policies by their keys, without named policies that are not, or no longer, selectable. */
export type LimitsByPolicy = ReadonlyMap<string, readonly PolicyLimit[]>;

/** The stored default policies of paymasters, and their selectable named policies. */
export function policiesOf(policies: readonly PolicyKey[]): Statement<PolicyRow> {
  const named = policies.filter((policy) => !isDefault(policy));
  const paymasterIds = new Set(policies.filter(isDefault).map(({ paymasterId }) => paymasterId));
  return storedPolicies({
    paymasterIds: [...paymasterIds],
    policyIds: [...new Set(named.map(({ policyId }) => policyId))],
  });
}

const storedPolicies = fixedStatement<Readonly<Record<'paymasterIds' | 'policyIds', readonly string[]>>>()(
  ({ db, texts }) =>
    db
      .selectFrom('policies')
      .select(['paymaster_id as key', 'paymaster_id', 'policy'])
      .where('paymaster_id', 'in', texts('paymasterIds'))
      .unionAll(
        db
          .selectFrom('named_policies')
          .select(['policy_id as key', 'paymaster_id', 'policy'])
          .where('policy_id', 'in', texts('policyIds'))
          .where('enabled', '=', 1),
      ),
);

type PolicyRow = RowOf<typeof storedPolicies>;

function isDefault({ policyId }: PolicyKey): boolean {
  return policyId === '';
}

/** The limits of the policies that {@link policiesOf} read. */
export function toLimits(rows: readonly PolicyRow[], policies: readonly PolicyKey[]): LimitsByPolicy {
  const limits = new Map<string, readonly PolicyLimit[]>();
  const owners = new Map(policies.map((policy) => [policyKey(policy), policy.paymasterId]));
  for (const { paymasterId } of policies.filter(isDefault)) limits.set(paymasterId, []);
  for (const { key, paymaster_id, policy } of rows) {
    if (owners.get(key) === paymaster_id) limits.set(key, limitsOf(policy, key));
  }
  return limits;
}

/** An unreadable policy grants nothing, and does not affect the others. */
function limitsOf(policy: string, key: string): readonly PolicyLimit[] {
  try {
    return parsePolicy(policy, key).limits;
  } catch (error) {
    if (error instanceof RowError) return [{ per: 'total', window: 'ever', unit: 'operations', max: 0n }];
    throw error;
  }
}
