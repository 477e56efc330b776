import { maxSelectors } from '@tollfree/contract/limits';
import type { Kysely } from 'kysely';
import type { Hex } from 'viem';
import { z } from 'zod';
import type { Owned } from '../domain/access/actor.ts';
import type { ContractMethods } from '../evm/abi/parse-abi.ts';
import { argumentBytesOf } from '../evm/abi/resolve-whitelist.ts';
import type { RuledContract, RuledContracts } from '../policies/call-rules/call-rules.ts';
import type { CalledContracts } from '../policies/called-limits.ts';
import type { SponsoredContracts } from '../policies/rules/ruling.ts';
import type { Database } from '../store/database.ts';
import { readJsonColumn } from '../store/read-json-column.ts';
import { readContractMethods, readContractParameters } from './contract-methods.ts';

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

type Naming = readonly { readonly contract?: string }[];

type NamingPolicy = { readonly callRules: Naming; readonly limits: Naming; readonly methodGas: Naming };

/** The contracts needed for rules, and those for limits. */
export type NamedContracts = {
  readonly ruled: RuledContracts;
  readonly called: CalledContracts;
  /** The unique numbers of their registrations. */
  readonly numbers: readonly number[];
};

/**
 * The paymaster's contracts that a policy names, as currently registered. An ABI is only read if a rule needs its
 * parameters, each in a separate turn of the event loop.
 */
export async function readNamedContracts(
  db: Kysely<Database>,
  { accountId, paymasterId }: Owned,
  { callRules, limits, methodGas }: NamingPolicy,
): Promise<NamedContracts> {
  const ruled = new Map<string, RuledContract>();
  const called = new Map<string, ContractMethods>();
  const withRules = addressesIn(callRules);
  const addresses = [...new Set([...withRules, ...addressesIn([...limits, ...methodGas])])];
  const rows = await readRegistrations(db, paymasterId, addresses);
  for (const { address, contract_number: contractNumber } of rows) {
    const read = await readContractMethods(db, { accountId, paymasterId, contractNumber });
    called.set(address, read);
    if (!withRules.has(address)) continue;
    const parametersOf = await readContractParameters(db, { accountId, paymasterId, contractNumber }, read);
    ruled.set(address, { methods: read.methods, parametersOf });
  }
  return { ruled, called, numbers: rows.map(({ contract_number: number }) => number) };
}

/** Whether the contracts that a policy names still have the same registrations, so that its checked rules still match. */
export async function areRegisteredStill(
  db: Kysely<Database>,
  { paymasterId, callRules, limits, methodGas }: NamingPolicy & Pick<Owned, 'paymasterId'>,
  { numbers }: Pick<NamedContracts, 'numbers'>,
): Promise<boolean> {
  const addresses = [...addressesIn([...callRules, ...limits, ...methodGas])];
  const rows = await readRegistrations(db, paymasterId, addresses);
  return rows.length === numbers.length && rows.every(({ contract_number: number }) => numbers.includes(number));
}

async function readRegistrations(db: Kysely<Database>, paymasterId: string, addresses: readonly string[]) {
  if (addresses.length === 0) return [];
  return db
    .selectFrom('contracts')
    .select(['contract_number', 'address'])
    .where('paymaster_id', '=', paymasterId)
    .where('address', 'in', addresses)
    .execute();
}

function addressesIn(naming: Naming): ReadonlySet<string> {
  return new Set(naming.flatMap(({ contract }) => contract?.toLowerCase() ?? []));
}
