import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { CallRule } from '../../domain/policy.ts';
import type { CallRules } from '../../policies/call-rules/call-rules.ts';
import { readCallRules } from '../../policies/call-rules/read-call-rules.ts';
import type { Database } from '../../store/database.ts';
import { readRuledContracts } from './read-ruled-contracts.ts';

/** Characters of the texts by which rules are kept. */
const maxKeptCharacters = 4 * 1024 * 1024;

/** A contract is registered anew under another number: nothing that rules are read from changes under the same ones. */
const known = new LRUCache<string, CallRules>({ maxSize: maxKeptCharacters, sizeCalculation: (_, key) => key.length });

const noRules: CallRules = new Map();

/** The rules of a policy in force, for the contracts as they are registered now. */
export async function loadCallRules(
  db: Kysely<Database>,
  { paymasterId, rules }: { readonly paymasterId: string; readonly rules: readonly CallRule[] },
  contracts: readonly { readonly contract_number: number; readonly address: string }[],
): Promise<CallRules> {
  if (rules.length === 0) return noRules;
  const named = new Set(rules.map(({ contract }) => contract.toLowerCase()));
  const numbers = contracts.flatMap(({ address, contract_number }) => (named.has(address) ? [contract_number] : []));
  const key = JSON.stringify([paymasterId, numbers, rules]);
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const read = readCallRules(rules, await readRuledContracts(db, paymasterId, rules));
  known.set(key, read.rules);
  return read.rules;
}
