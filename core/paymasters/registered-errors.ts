import { maxAbiBytes } from '@tollfree/contract/limits';
import { LRUCache } from 'lru-cache';
import { type CustomError, readCustomErrors } from '../evm/abi/custom-errors.ts';
import type { Store } from '../store/store.ts';

/** The custom errors of the contracts that account holders have registered. */
export type RegisteredErrors = {
  /** The errors of the paymaster's contracts at these addresses, in order. Rejects only when the database fails. */
  find(paymasterId: string, addresses: readonly string[]): Promise<readonly CustomError[]>;
};

/** Most addresses that are looked up for one failure, from the first on. */
const maxFailureContracts = 20;
/**
 * Bytes of ABIs that are read for one failure; later contracts are left out. Most ABIs have about 20 KiB, and parsed ones
 * are cached for the next failure.
 */
const maxAbiBytesRead = maxAbiBytes;
/** Total size of cached errors over all contracts, in characters of their JSON text; about three bytes each. */
const maxKeptCharacters = 2 * 1024 * 1024;

/**
 * Reads stored ABIs only after an operation has failed, so successful ones do not pay for it. Results are cached by contract
 * number, which is never reused.
 */
export function createRegisteredErrors({ db }: Pick<Store, 'db'>): RegisteredErrors {
  const kept = new LRUCache<number, readonly CustomError[]>({
    maxSize: maxKeptCharacters,
    sizeCalculation: (errors) => JSON.stringify(errors).length,
  });

  async function read(contractNumber: number): Promise<readonly CustomError[]> {
    const known = kept.get(contractNumber);
    if (known !== undefined) return known;
    const row = await db
      .selectFrom('contracts')
      .select('abi')
      .where('contract_number', '=', contractNumber)
      .executeTakeFirst();
    const errors = row === undefined ? [] : readCustomErrors(row.abi);
    kept.set(contractNumber, errors);
    return errors;
  }

  return {
    async find(paymasterId, addresses) {
      const asked = [...new Set(addresses.map((address) => address.toLowerCase()))].slice(0, maxFailureContracts);
      const rows = await db
        .selectFrom('contracts')
        .select(['contract_number', 'address', 'abi_bytes'])
        .where('paymaster_id', '=', paymasterId)
        .where('address', 'in', asked)
        .execute();
      const contracts = new Map(rows.map((row) => [row.address, row]));
      const found: CustomError[] = [];
      let budget = maxAbiBytesRead;
      for (const address of asked) {
        const contract = contracts.get(address);
        if (contract === undefined) continue;
        const { contract_number: number, abi_bytes: bytes } = contract;
        if (!kept.has(number)) {
          if (bytes > budget) continue;
          budget -= bytes;
        }
        found.push(...(await read(number)));
      }
      return found;
    },
  };
}
