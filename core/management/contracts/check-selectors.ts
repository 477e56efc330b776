import { maxSelectors } from '@tollfree/contract/limits';
import type { Transaction } from 'kysely';
import type { Owned } from '../../domain/access/actor.ts';
import { invalidField, type Result } from '../../domain/result/result.ts';
import { countSelectors } from '../../paymasters/sponsored-contracts.ts';
import type { Database } from '../../store/database.ts';
import { ownPaymasterId } from '../../store/own-paymaster.ts';

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
