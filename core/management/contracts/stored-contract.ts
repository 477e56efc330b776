import type { Selectable } from 'kysely';
import { getAddress } from 'viem';
import { z } from 'zod';
import type { SmartContract } from '../../domain/smart-contract.ts';
import { readStoredFunctions } from '../../paymasters/contract-methods.ts';
import type { Database } from '../../store/database.ts';
import { readJsonColumn } from '../../store/read-json-column.ts';

type ContractRow = Selectable<Database['contracts']>;

const MethodsSchema = z.array(z.string());

/** A stored contract in the form of the domain. */
export function toSmartContract(
  row: Pick<ContractRow, 'paymaster_id' | 'name' | 'address' | 'abi' | 'functions' | 'whitelisted_methods'>,
): SmartContract {
  return {
    name: row.name,
    address: getAddress(row.address),
    abi: row.abi,
    whitelistedMethods: readJsonColumn(MethodsSchema, row.whitelisted_methods, {
      table: 'contracts',
      id: `${row.paymaster_id}/${row.address}`,
    }),
    methods: [...new Set(readStoredFunctions(row).map(({ name }) => name))],
  };
}
