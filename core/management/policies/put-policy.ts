import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../../base/time/clock.ts';
import type { Owned } from '../../domain/access/actor.ts';
import { type CoreConfig, longestValidity } from '../../domain/core-config.ts';
import type { Policy } from '../../domain/policy.ts';
import { invalidField, type Result } from '../../domain/result/result.ts';
import { paymasterContractFamilies } from '../../evm/paymaster-contracts/families.ts';
import { endOtherLimits, ownerOfPolicy } from '../../ledger/accounts/limit-numbers.ts';
import type { SponsorProfiles } from '../../paymasters/sponsor-profiles.ts';
import type { CoinPrice } from '../../policies/worth-usd.ts';
import type { Database } from '../../store/database.ts';
import type { Store } from '../../store/store.ts';
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
 * Replaces the policy by a checked one. A limit counts from when it is set; one that counts the same as before goes on, whatever
 * its maximum. `write` must refuse before it writes.
 */
export function putPolicy<T>(
  parts: PolicyParts,
  owned: Owned,
  { policyId, policy }: { readonly policyId: string; readonly policy: Policy },
  write: (trx: Transaction<Database>) => Promise<Result<T>>,
): Promise<Result<T>> {
  return changeOwnPaymaster(parts, owned, async (trx) => {
    const written = await write(trx);
    if (!written.ok) return written;
    const owner = ownerOfPolicy({ paymasterId: owned.paymasterId, policyId });
    await endOtherLimits(trx, owner, policy.limits);
    return written;
  });
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
