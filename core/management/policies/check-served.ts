import type { Kysely } from 'kysely';
import type { Owned } from '../../domain/access/actor.ts';
import { type CoreConfig, longestValidity } from '../../domain/core-config.ts';
import type { Policy } from '../../domain/policy.ts';
import { invalidField, type Result } from '../../domain/result/result.ts';
import { paymasterContractFamilies } from '../../evm/paymaster-contracts/families.ts';
import type { Database } from '../../store/database.ts';

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
