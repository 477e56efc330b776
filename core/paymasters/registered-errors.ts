import { maxAbiBytes } from '@tollfree/contract/limits';
import { LRUCache } from 'lru-cache';
import { type CustomError, readCustomErrors } from '../evm/abi/custom-errors.ts';
import type { Store } from '../store/store.ts';

/** The custom errors of the contracts that account holders have registered. */
export type RegisteredErrors = {
  /** Those of the paymaster's contracts at the addresses, in their order. Rejects only when the database fails. */
  find(paymasterId: string, addresses: readonly string[]): Promise<readonly CustomError[]>;
};

/** Only so many addresses, the first ones, are looked up for one failure. */
const maxFailureContracts = 20;
/**
 * Bytes of ABIs that are read again for one failure; contracts that come later are left out. Most contracts have some
 * 20 KiB, and what was read is kept for the next failure.
 */
const maxAbiBytesRead = maxAbiBytes;
/** Errors kept at once, over all contracts, in characters of their JSON text: some three bytes each. */
const maxKeptCharacters = 2 * 1024 * 1024;

/**
 * Reads stored ABIs when an operation has failed and not before: nothing of it is on the way of one that succeeds.
 * What was read is kept by the contract's number, which no other registration ever has.
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
