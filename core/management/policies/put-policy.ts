import { setImmediate as nextTurn } from 'node:timers/promises';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Kysely, Transaction } from 'kysely';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { Owned } from '../../domain/access/actor.ts';
import { type CoreConfig, longestValidity } from '../../domain/core-config.ts';
import { defaultPolicy, type Policy } from '../../domain/policy.ts';
import { invalidField, type Result } from '../../domain/result/result.ts';
import { paymasterContractFamilies } from '../../evm/paymaster-contracts/families.ts';
import { forgetUsage, getUsage, type UsageKey } from '../../ledger/counts/limit-usage.ts';
import { countStep, finishCount, type WantedCount } from '../../ledger/holds/count-in-steps.ts';
import type { SponsorProfiles } from '../../paymasters/sponsor-profiles.ts';
import { calledKey } from '../../policies/called-limits.ts';
import { forgetUnusedUsage, keptWindows, windowText } from '../../policies/forget-unused-usage.ts';
import { windowStart } from '../../policies/limit-window.ts';
import type { PolicyKey } from '../../policies/policy-key.ts';
import { readPolicyAt } from '../../policies/policy-text.ts';
import { type CoinPrice, countsUsd } from '../../policies/worth-usd.ts';
import type { Database } from '../../store/database.ts';
import type { Store } from '../../store/store.ts';
import { RowError } from '../../store/store-error.ts';
import { changeOwnPaymaster } from '../paymasters/change-own-paymaster.ts';

/** The dependencies of managing policies. */
export type PolicyParts = {
  readonly store: Store;
  readonly profiles: SponsorProfiles;
  readonly clock: Clock;
  readonly coinPrice: CoinPrice;
  readonly config: Served;
  /** Writes the decisions that wait; nothing does where it is absent. */
  readonly flushDecisions?: () => Promise<void>;
};

/**
 * Replaces the policy by a checked one: counts the use of limits that the previous policy did not count, then has `write`
 * store it. `write` must refuse before it writes.
 */
export async function putPolicy<T>(
  parts: PolicyParts,
  owned: Owned,
  { policyId, policy }: { readonly policyId: string; readonly policy: Policy },
  write: (trx: Transaction<Database>) => Promise<Result<T>>,
): Promise<Result<T>> {
  const reference = { paymasterId: owned.paymasterId, policyId };
  const counts = await countForPolicy(parts, reference, policy);
  return changeOwnPaymaster(parts, owned, async (trx) => {
    const before = await readPolicyBefore(trx, reference);
    const written = await write(trx);
    if (!written.ok) return written;
    const counted = await finishCounts(trx, counts);
    await forgetUnusedUsage(trx, reference, { before, after: policy }, counted);
    return written;
  });
}

async function countForPolicy(
  parts: PolicyParts,
  reference: PolicyKey,
  after: Policy,
): Promise<readonly WantedCount[]> {
  const before = await readPolicyBefore(parts.store.db, reference);
  const profile = countsUsd(after) ? await parts.profiles.findById(reference.paymasterId) : undefined;
  const price = profile === undefined ? undefined : await parts.coinPrice(profile.paymaster.chainId);
  return countBefore(parts, { reference, before, after, ...omitAbsent({ usdMicrosPerCoin: price }) });
}

/** Setting a policy is the fix for an unreadable one, whose counts are not reused. */
async function readPolicyBefore(db: Kysely<Database>, reference: PolicyKey): Promise<Policy> {
  try {
    return (await readPolicyAt(db, reference)) ?? defaultPolicy;
  } catch (error) {
    if (error instanceof RowError) return defaultPolicy;
    throw error;
  }
}

/**
 * Longest time that counting delays a policy, in milliseconds; after that, the rest is counted while affected requests are
 * refused.
 */
const maxWait = 15_000;

type Parts = { readonly store: Store; readonly clock: Clock };
type Counting = {
  readonly reference: PolicyKey;
  readonly before: Policy;
  readonly after: Policy;
  /** The coin's price, in millionths of a USD for 10^18 wei; without it windows in USD are not counted. */
  readonly usdMicrosPerCoin?: bigint;
};

/**
 * Before a new policy is in force, counts the windows that it limits for all senders together and for which the current
 * policy has no suitable counts: in steps, with requests in between. Windows of single senders have few holds and are
 * counted on demand.
 */
async function countBefore({ store, clock }: Parts, counting: Counting): Promise<readonly WantedCount[]> {
  const begun = clock.now();
  const counts = await store.transaction((trx) => beginCounts(trx, counting, unixSeconds(clock)));
  for (const count of counts) {
    let isAll = false;
    while (!isAll && clock.now() - begun < maxWait) {
      ({ isAll } = await store.transaction((trx) => countStep(trx, count)));
      await nextTurn();
    }
  }
  return counts;
}

/**
 * In the transaction that sets the policy: marks counts as complete if they include everything by now. Returns all counts
 * that were begun, which are kept.
 */
async function finishCounts(trx: Transaction<Database>, counts: readonly WantedCount[]): Promise<readonly UsageKey[]> {
  for (const count of counts) {
    const { kept, isAll } = await countStep(trx, count);
    if (isAll) await finishCount(trx, count.key, kept);
  }
  return counts.map(({ key }) => key);
}

/** The counts to make, each from its start. Requests meanwhile count by hour and are added later. */
async function beginCounts(
  trx: Transaction<Database>,
  { reference, before, after, usdMicrosPerCoin }: Counting,
  now: number,
): Promise<readonly WantedCount[]> {
  const kept = keptWindows({ before, after });
  const totals = after.limits.filter((limit) => limit.per === 'total');
  const counts: WantedCount[] = [];
  const windows = new Map(totals.map((limit) => [windowText(limit, calledKey(limit) ?? ''), limit]));
  for (const [text, { window, ...limit }] of windows) {
    const called = calledKey(limit);
    const inUsd = called === undefined && totals.some((other) => other.window === window && other.unit === 'usdMicros');
    if (kept.has(text) || (inUsd && usdMicrosPerCoin === undefined)) continue;
    const key = { ...reference, subject: '', window, start: windowStart(window, now), ...omitAbsent({ called }) };
    // Counts for a policy that never came into force may have used another price.
    if ((await getUsage(trx, key)) !== undefined) await forgetUsage(trx, key);
    counts.push(inUsd && usdMicrosPerCoin !== undefined ? { key, usdMicrosPerCoin } : { key });
  }
  return counts;
}

/** The parts of the configuration that policies depend on. */
export type Served = Pick<CoreConfig, 'validity' | 'chains'>;

/** Refuses a policy that requires something the operator or the paymaster's contract does not support. */
export async function refuseUnserved(
  db: Kysely<Database>,
  { validity, chains }: Served,
  { paymasterId }: Owned,
  { maxValiditySeconds = 0, userPaysPercent }: Policy,
): Promise<Result<never> | undefined> {
  const longest = longestValidity(validity);
  if (maxValiditySeconds > longest) {
    return invalidField(
      'maxValiditySeconds',
      `must be at most ${longest}, which the operator sets as validity.maxSecondsByPolicy`,
    );
  }
  if (userPaysPercent === undefined) return undefined;
  const paymaster = await db
    .selectFrom('paymasters')
    .select(['chain_id', 'version'])
    .where('paymaster_id', '=', paymasterId)
    .executeTakeFirstOrThrow();
  const chain = chains.find(({ chainId }) => chainId === paymaster.chain_id);
  const contract = chain?.paymasterContracts.find(({ version }) => version === paymaster.version);
  const family = contract && paymasterContractFamilies.get(contract.family);
  if (family === undefined || family.modes.includes('ERC20')) return undefined;
  return invalidField(
    'userPaysPercent',
    `needs a paymaster contract that accepts tokens. Version ${paymaster.version} only sponsors`,
  );
}

/** Runs work with the same key sequentially, in the order of the calls; a failure does not stop the next one. */
type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = last.get(key);
    const done = before === undefined ? work() : before.then(work);
    const settled = done.catch(() => undefined);
    last.set(key, settled);
    void settled.then(() => {
      if (last.get(key) === settled) last.delete(key);
    });
    return done;
  };
}
