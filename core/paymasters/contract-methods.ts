import { maxAbiBytes } from '@tollfree/contract/limits';
import type { Kysely, Selectable } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Hex } from 'viem';
import { z } from 'zod';
import { inOwnTurn } from '../base/time/in-own-turn.ts';
import type { Owned } from '../domain/access/actor.ts';
import { type CustomError, readCustomErrors } from '../evm/abi/custom-errors.ts';
import {
  type AbiFunction,
  type ContractMethods,
  type NamedMethod,
  readNamedMethods,
  toContractMethods,
} from '../evm/abi/parse-abi.ts';
import { methodArguments, type ReadParameters } from '../evm/abi/read-call-arguments.ts';
import type { Database } from '../store/database.ts';
import { readJsonColumn } from '../store/read-json-column.ts';
import type { Store } from '../store/store.ts';

type ContractRow = Selectable<Database['contracts']>;

const FunctionsSchema = z.array(
  z.object({
    name: z.string(),
    signature: z.string(),
    selector: z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]{8}$/.test(value)),
  }),
) satisfies z.ZodType<readonly AbiFunction[]>;

/**
 * Memory per method in addition to the characters of its name and signature: three texts, an object, its entries in a list
 * and a set.
 */
const methodBytes = 300;
/** Memory for the cached methods of all contracts, in bytes. */
const maxKeptBytes = 6 * 1024 * 1024;
/** Bytes per character of a parsed ABI. */
const bytesOfCharacter = 6;
/** Memory for the cached parsed ABIs of all contracts, in bytes: about a hundred typical ones. */
const maxParsedBytes = 10 * 1024 * 1024;

/** Methods by contract number, which is never reused, and by paymaster, whose id is unique across databases. */
const known = new LRUCache<string, ContractMethods>({ maxSize: maxKeptBytes, sizeCalculation: bytesOf });

/** The parameters of their methods, by the same key. */
const parsed = new LRUCache<string, { readonly parametersOf: ReadParameters; readonly bytes: number }>({
  maxSize: maxParsedBytes,
  sizeCalculation: ({ bytes }) => bytes,
});

const noMethods = toContractMethods([]);

function bytesOf({ methods }: ContractMethods): number {
  return methods.reduce((sum, { name, signature }) => sum + methodBytes + name.length + signature.length, methodBytes);
}

type Contract = Owned & { readonly contractNumber: number };

function keyOf({ paymasterId, contractNumber }: Contract): string {
  return `${paymasterId} ${contractNumber}`;
}

/** The methods of a registered contract; all callers get the same object. */
export async function readContractMethods(db: Kysely<Database>, contract: Contract): Promise<ContractMethods> {
  const key = keyOf(contract);
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const row = await db
    .selectFrom('contracts')
    .select(['paymaster_id', 'address', 'functions'])
    .where('contract_number', '=', contract.contractNumber)
    .executeTakeFirst();
  if (row === undefined) return noMethods;
  const read = await inOwnTurn(contract.accountId, () => toContractMethods(readStoredFunctions(row)));
  known.set(key, read);
  return read;
}

/** The parameters of a registered contract's methods. Parses the ABI unless cached. */
export async function readContractParameters(
  db: Kysely<Database>,
  contract: Contract,
  { methods }: ContractMethods,
): Promise<ReadParameters> {
  const kept = parsed.get(keyOf(contract));
  if (kept !== undefined) return kept.parametersOf;
  const row = await db
    .selectFrom('contracts')
    .select('abi')
    .where('contract_number', '=', contract.contractNumber)
    .executeTakeFirst();
  if (row === undefined) return methodArguments('[]', []);
  const parametersOf = await inOwnTurn(contract.accountId, () => methodArguments(row.abi, methods));
  parsed.set(keyOf(contract), { parametersOf, bytes: bytesOfCharacter * row.abi.length });
  return parametersOf;
}

/** The ABI's state-changing functions, as stored at registration. */
export function readStoredFunctions(
  row: Pick<ContractRow, 'paymaster_id' | 'address' | 'functions'>,
): readonly AbiFunction[] {
  return readJsonColumn(FunctionsSchema, row.functions, {
    table: 'contracts',
    id: `${row.paymaster_id}/${row.address}`,
  });
}

/** The custom errors and the methods of the contracts that account holders have registered. */
export type RegisteredErrors = {
  /** The errors of the paymaster's contracts at these addresses, in order. Rejects only when the database fails. */
  find(paymasterId: string, addresses: readonly string[]): Promise<readonly CustomError[]>;
  /** A method in the ABI of the paymaster's contract at the address. Undefined if the ABI does not have it. */
  findMethod(
    paymasterId: string,
    method: { readonly address: string; readonly selector: Hex },
  ): Promise<NamedMethod | undefined>;
};

/** Most addresses that are looked up for one failure, from the first on. */
const maxFailureContracts = 20;
/**
 * Bytes of ABIs that are read for one failure; later contracts are left out. Most ABIs have about 20 KiB, and parsed ones
 * are cached for the next failure.
 */
const maxAbiBytesRead = maxAbiBytes;
/** Largest ABI that is searched for the name of a method, in bytes, and how many searched ones are kept. */
const maxSearchedBytes = 64 * 1024;
const maxNamedContracts = 100;
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

  const names = new LRUCache<number, ReadonlyMap<Hex, NamedMethod>>({ max: maxNamedContracts });

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

  async function readNames(contractNumber: number): Promise<ReadonlyMap<Hex, NamedMethod>> {
    const known = names.get(contractNumber);
    if (known !== undefined) return known;
    const row = await db
      .selectFrom('contracts')
      .select('abi')
      .where('contract_number', '=', contractNumber)
      .executeTakeFirst();
    const read = readNamedMethods(row?.abi ?? '[]');
    names.set(contractNumber, read);
    return read;
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
    async findMethod(paymasterId, { address, selector }) {
      const row = await db
        .selectFrom('contracts')
        .select(['contract_number', 'abi_bytes'])
        .where('paymaster_id', '=', paymasterId)
        .where('address', '=', address.toLowerCase())
        .executeTakeFirst();
      if (row === undefined || row.abi_bytes > maxSearchedBytes) return undefined;
      return (await readNames(row.contract_number)).get(selector);
    },
  };
}
