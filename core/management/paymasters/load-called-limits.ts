import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { PolicyLimit } from '../../domain/policy.ts';
import type { CalledLimits } from '../../policies/called-limits/called-limits.ts';
import { readCalledLimits } from '../../policies/called-limits/read-called-limits.ts';
import type { Database } from '../../store/database.ts';
import { readRuledContracts } from './read-ruled-contracts.ts';

/** Characters of the texts by which limits are kept. */
const maxKeptCharacters = 1024 * 1024;

/** A contract is registered anew under another number: nothing that limits are read from changes under the same ones. */
const known = new LRUCache<string, CalledLimits>({
  maxSize: maxKeptCharacters,
  sizeCalculation: (_, key) => key.length,
});

const noLimits: CalledLimits = new Map();

/** Which calls the limits of a policy in force count, for the contracts as they are registered now. */
export async function loadCalledLimits(
  db: Kysely<Database>,
  { paymasterId, limits }: { readonly paymasterId: string; readonly limits: readonly PolicyLimit[] },
  contracts: readonly { readonly contract_number: number; readonly address: string }[],
): Promise<CalledLimits> {
  const called = limits.map(({ contract, method }) => [contract, method]);
  if (called.every(([contract]) => contract === undefined)) return noLimits;
  const named = new Set(called.map(([contract]) => contract?.toLowerCase()));
  const numbers = contracts.flatMap(({ address, contract_number }) => (named.has(address) ? [contract_number] : []));
  const key = JSON.stringify([paymasterId, numbers, called]);
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const read = readCalledLimits(limits, await readRuledContracts(db, paymasterId, limits));
  known.set(key, read.limits);
  return read.limits;
}
