import type { Kysely } from 'kysely';
import type { Owned } from '../domain/access/actor.ts';
import type { ContractMethods } from '../evm/abi/parse-abi.ts';
import type { RuledContract, RuledContracts } from '../policies/call-rules/read-call-rules.ts';
import type { CalledContracts } from '../policies/called-limits/read-called-limits.ts';
import type { Database } from '../store/database.ts';
import { readContractMethods, readContractParameters } from './contract-methods.ts';

type Naming = readonly { readonly contract?: string }[];

/** The parts of a policy that name contracts. */
type NamingPolicy = { readonly callRules: Naming; readonly limits: Naming };

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
  { callRules, limits }: NamingPolicy,
): Promise<NamedContracts> {
  const ruled = new Map<string, RuledContract>();
  const called = new Map<string, ContractMethods>();
  const withRules = addressesIn(callRules);
  const addresses = [...new Set([...withRules, ...addressesIn(limits)])];
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
  { paymasterId, callRules, limits }: NamingPolicy & Pick<Owned, 'paymasterId'>,
  { numbers }: Pick<NamedContracts, 'numbers'>,
): Promise<boolean> {
  const addresses = [...new Set([...addressesIn(callRules), ...addressesIn(limits)])];
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
