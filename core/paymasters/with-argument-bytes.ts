import type { Kysely } from 'kysely';
import type { Owned } from '../domain/access/actor.ts';
import { argumentBytesOf } from '../evm/abi/resolve-whitelist.ts';
import type { Database } from '../store/database.ts';
import { readContractMethods } from './contract-methods.ts';
import { readStoredSelectors, type StoredContract } from './sponsored-contracts.ts';

/** Contracts with the sizes of their arguments, read from their methods where they were registered before sizes were stored. */
export async function withArgumentBytes(
  db: Kysely<Database>,
  owned: Owned,
  contracts: readonly StoredContract[],
): Promise<readonly StoredContract[]> {
  const complete: StoredContract[] = [];
  for (const contract of contracts) {
    const selectors = contract.argument_bytes === '' ? readStoredSelectors(contract) : [];
    if (selectors.length === 0) {
      complete.push(contract);
    } else {
      const { methods } = await readContractMethods(db, { ...owned, contractNumber: contract.contract_number });
      complete.push({ ...contract, argument_bytes: JSON.stringify(argumentBytesOf(methods, selectors)) });
    }
  }
  return complete;
}
