import { maxSelectors } from '@tollfree/contract/limits';
import type { Kysely } from 'kysely';
import type { Hex } from 'viem';
import { z } from 'zod';
import type { Owned } from '../domain/access/actor.ts';
import { argumentBytesOf } from '../evm/abi/resolve-whitelist.ts';
import type { SponsoredContracts } from '../policies/rules/ruling.ts';
import type { Database } from '../store/database.ts';
import { readJsonColumn } from '../store/read-json-column.ts';
import { readContractMethods } from './contract-methods.ts';

const ArgumentBytesSchema = z.array(z.int().nullable());
const SelectorsSchema = z.array(z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]{8}$/.test(value)));

/** Characters that each selector adds to the stored list: itself, its quotes, and a comma or the opening bracket. */
const charactersOfSelector = 13;

/** How many selectors a stored list has, from the length of its text. */
export function countSelectors(storedLength: number): number {
  return Math.floor((storedLength - 1) / charactersOfSelector);
}

type SponsoredContract = SponsoredContracts extends ReadonlyMap<string, infer Contract> ? Contract : never;

type StoredContract = {
  readonly contract_number: number;
  readonly name: string;
  readonly address: string;
  /** The selectors of the whitelist, as stored by `manageContracts`. */
  readonly selectors: string;
  /** The fixed argument size of each selector; empty for a contract registered before sizes were stored. */
  readonly argument_bytes: string;
};

function readStoredSelectors(row: Pick<StoredContract, 'contract_number' | 'selectors'>): readonly Hex[] {
  return readJsonColumn(SelectorsSchema, row.selectors, { table: 'contracts', id: row.contract_number });
}

/**
 * The contracts of a paymaster in the order they were registered. Contracts that exceed `maxSelectors`, registered before
 * that limit existed, are not read: none of their methods is sponsored.
 */
export function toSponsoredContracts(contracts: readonly StoredContract[]): SponsoredContracts {
  let count = 0;
  const sponsored = new Map<string, SponsoredContract>();
  for (const { contract_number: id, name, address, selectors: stored, argument_bytes } of contracts) {
    count += countSelectors(stored.length);
    if (count > maxSelectors) {
      sponsored.set(address, { name, selectors: new Map(), isAboveBound: true });
    } else {
      const selectors = readStoredSelectors({ contract_number: id, selectors: stored });
      const bytes = readJsonColumn(ArgumentBytesSchema, argument_bytes || '[]', { table: 'contracts', id });
      sponsored.set(address, {
        name,
        selectors: new Map(selectors.map((one, index) => [one, bytes[index] ?? undefined])),
      });
    }
  }
  return sponsored;
}

/**
 * Contracts with the sizes of their arguments, derived from their methods if they were registered before sizes were stored.
 */
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
