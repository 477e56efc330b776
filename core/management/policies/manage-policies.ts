import { defaultPreview, maxPreview } from '@tollfree/contract/limits';
import type { Kysely } from 'kysely';
import { readPastDecisions } from '../../decisions/read-past-decisions.ts';
import type { Core, Owned } from '../../domain/core.ts';
import { defaultPolicy, type Policy } from '../../domain/policy.ts';
import type { PolicyPreview } from '../../domain/policy-preview.ts';
import { invalidField } from '../../domain/result/invalid-field.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import type { Clock } from '../../domain/time/clock.ts';
import { unixSeconds } from '../../domain/time/unix-seconds.ts';
import { omitAbsent } from '../../domain/values/omit-absent.ts';
import type { WantedCount } from '../../ledger/holds/count-in-steps.ts';
import { checkPolicy } from '../../policies/check-policy.ts';
import type { CoinPrice } from '../../policies/coin-price.ts';
import { countsUsd } from '../../policies/counts-usd.ts';
import { forgetUnusedUsage } from '../../policies/forget-unused-usage.ts';
import type { PastDecision } from '../../policies/past-decision.ts';
import type { PolicyPlace } from '../../policies/policy-key.ts';
import { policyText } from '../../policies/policy-text.ts';
import { previewPolicy } from '../../policies/preview-policy.ts';
import { readStoredPolicy } from '../../policies/stored-policy.ts';
import type { Database } from '../../store/database.ts';
import { ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import { RowError } from '../../store/row-error.ts';
import type { Store } from '../../store/store.ts';
import { changeOwnPaymaster } from '../paymasters/change-own-paymaster.ts';
import type { SponsorProfiles } from '../paymasters/sponsor-profiles.ts';
import { checkCallRules } from './check-call-rules.ts';
import { countBefore, finishCounts } from './count-before.ts';
import { createTurns } from './turns.ts';

type Parts = {
  readonly store: Store;
  readonly profiles: SponsorProfiles;
  readonly clock: Clock;
  readonly coinPrice: CoinPrice;
};

/** The policy operations of `Core`. A policy that was set is in force from the next request on. */
export function managePolicies(parts: Parts): Pick<Core, 'readPolicy' | 'setPolicy' | 'previewPolicy'> {
  const inTurn = createTurns();
  return {
    readPolicy: (owned) => readPolicy(parts, owned),
    // Counting takes its time: of two policies the one that was set later stays.
    setPolicy: (input) => inTurn(input.paymasterId, () => setPolicy(parts, input)),
    previewPolicy: (input) => preview(parts, input),
  };
}

async function readPolicy({ store }: Parts, owned: Owned): Promise<Result<Policy>> {
  if (!(await ownsPaymaster(store.db, owned))) return paymasterNotFound;
  return accept(await readStoredPolicy(store.db, owned.paymasterId));
}

async function setPolicy(parts: Parts, input: Owned & { policy: Policy }): Promise<Result<Policy>> {
  const checked = checkPolicy(input.policy);
  if (!checked.ok) return checked;
  const { paymasterId } = input;
  if (!(await ownsPaymaster(parts.store.db, input))) return paymasterNotFound;
  const rules = await checkCallRules(parts.store.db, paymasterId, checked.value);
  if (!rules.ok) return rules;
  const counts = await countForPolicy(parts, paymasterId, checked.value);
  return changeOwnPaymaster(parts, input, async (trx) => {
    const before = await readPolicyBefore(trx, paymasterId);
    const counted = await finishCounts(trx, counts);
    await forgetUnusedUsage(trx, defaultOf(paymasterId), { before, after: checked.value }, counted);
    const row = { policy: policyText(checked.value), updated_at: unixSeconds(parts.clock) };
    await trx
      .insertInto('policies')
      .values({ paymaster_id: paymasterId, ...row })
      .onConflict((conflict) => conflict.column('paymaster_id').doUpdateSet(row))
      .execute();
    return accept(checked.value);
  });
}

async function countForPolicy(parts: Parts, paymasterId: string, after: Policy): Promise<readonly WantedCount[]> {
  const before = await readPolicyBefore(parts.store.db, paymasterId);
  const profile = countsUsd(after) ? await parts.profiles.findById(paymasterId) : undefined;
  const price = profile === undefined ? undefined : await parts.coinPrice(profile.paymaster.chainId);
  return countBefore(parts, { place: defaultOf(paymasterId), before, after, ...omitAbsent({ usdMicrosPerCoin: price }) });
}

function defaultOf(paymasterId: string): PolicyPlace {
  return { paymasterId, policyId: '' };
}

/** Setting a policy is what mends one that cannot be read; what that one has counted is not taken over. */
async function readPolicyBefore(trx: Kysely<Database>, paymasterId: string): Promise<Policy> {
  try {
    return await readStoredPolicy(trx, paymasterId);
  } catch (error) {
    if (error instanceof RowError) return defaultPolicy;
    throw error;
  }
}

/** A decision for which no price was asked at its time is valued at the present one. */
function withPrice(decision: PastDecision, usdMicrosPerCoin: bigint): PastDecision {
  return { ...decision, facts: { usdMicrosPerCoin, ...decision.facts } };
}

async function preview(
  { store, profiles, coinPrice }: Parts,
  input: Owned & { policy: Policy; last?: number },
): Promise<Result<PolicyPreview>> {
  const { paymasterId, last = defaultPreview } = input;
  if (!Number.isInteger(last) || last < 1 || last > maxPreview) {
    return invalidField('last', `must be a whole number from 1 to ${maxPreview}`);
  }
  const checked = checkPolicy(input.policy);
  if (!checked.ok) return checked;
  if (!(await ownsPaymaster(store.db, input))) return paymasterNotFound;
  const rules = await checkCallRules(store.db, paymasterId, checked.value);
  if (!rules.ok) return rules;
  const profile = await profiles.findById(paymasterId);
  if (profile === undefined) return paymasterNotFound;
  const past = await readPastDecisions(store.db, paymasterId, { last });
  const policy = checked.value;
  const price = countsUsd(policy) ? await coinPrice(profile.paymaster.chainId) : undefined;
  const decisions = price === undefined ? past : past.map((decision) => withPrice(decision, price));
  return accept(previewPolicy({ contracts: profile.contracts, policy, callRules: rules.value }, decisions));
}
