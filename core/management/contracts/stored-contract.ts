import type { Selectable } from 'kysely';
import { getAddress } from 'viem';
import type { SmartContract } from '../../domain/smart-contract.ts';
import type { AbiFunction } from '../../evm/abi/parse-abi.ts';
import type { Database } from '../../store/database.ts';

type ContractRow = Selectable<Database['contracts']>;

/** A stored contract in the form of the domain. */
export function toSmartContract(
  row: Pick<ContractRow, 'name' | 'address' | 'abi' | 'functions' | 'whitelisted_methods'>,
): SmartContract {
  return {
    name: row.name,
    address: getAddress(row.address),
    abi: row.abi,
    whitelistedMethods: JSON.parse(row.whitelisted_methods) as readonly string[],
    methods: [...new Set(readStoredFunctions(row.functions).map(({ name }) => name))],
  };
}

/** The ABI's state-changing functions as `manageContracts` stored them. */
export function readStoredFunctions(functions: string): readonly AbiFunction[] {
  return JSON.parse(functions) as readonly AbiFunction[];
}
