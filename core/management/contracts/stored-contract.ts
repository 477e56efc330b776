import type { Selectable } from 'kysely';
import { getAddress, type Hex } from 'viem';
import { z } from 'zod';
import type { SmartContract } from '../../domain/smart-contract.ts';
import type { AbiFunction } from '../../evm/abi/parse-abi.ts';
import type { Database } from '../../store/database.ts';
import { readJsonColumn } from '../../store/read-json-column.ts';

type ContractRow = Selectable<Database['contracts']>;

const MethodsSchema = z.array(z.string());

const FunctionsSchema = z.array(
  z.object({
    name: z.string(),
    signature: z.string(),
    selector: z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]{8}$/.test(value)),
  }),
) satisfies z.ZodType<readonly AbiFunction[]>;

/** A stored contract in the form of the domain. */
export function toSmartContract(
  row: Pick<ContractRow, 'paymaster_id' | 'name' | 'address' | 'abi' | 'functions' | 'whitelisted_methods'>,
): SmartContract {
  return {
    name: row.name,
    address: getAddress(row.address),
    abi: row.abi,
    whitelistedMethods: readJsonColumn(MethodsSchema, row.whitelisted_methods, placeOf(row)),
    methods: [...new Set(readStoredFunctions(row).map(({ name }) => name))],
  };
}

/** The ABI's state-changing functions as `manageContracts` stored them. */
export function readStoredFunctions(
  row: Pick<ContractRow, 'paymaster_id' | 'address' | 'functions'>,
): readonly AbiFunction[] {
  return readJsonColumn(FunctionsSchema, row.functions, placeOf(row));
}

function placeOf({ paymaster_id, address }: Pick<ContractRow, 'paymaster_id' | 'address'>) {
  return { table: 'contracts', id: `${paymaster_id}/${address}` };
}
