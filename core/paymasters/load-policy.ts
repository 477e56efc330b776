import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { inOwnTurn } from '../base/time/in-own-turn.ts';
import type { Owned } from '../domain/access/actor.ts';
import type { NamedPolicy } from '../domain/named-policy.ts';
import { defaultPolicy, type Policy } from '../domain/policy.ts';
import type { Argument, ArgumentType } from '../evm/abi/argument-type.ts';
import { type CallRules, readCallRules } from '../policies/call-rules/call-rules.ts';
import { type CalledLimits, placesOf, readCalledLimits } from '../policies/called-limits.ts';
import { parsePolicy } from '../policies/policy-text.ts';
import type { Database } from '../store/database.ts';
import type { Store } from '../store/store.ts';
import { readNamedContracts } from './sponsored-contracts.ts';

/** A policy in force, with its rules on arguments and its limits, resolved against the registered contracts. */
export type LoadedPolicy = {
  readonly policy: Policy;
  readonly callRules: CallRules;
  readonly calledLimits: CalledLimits;
  /** The public parts of a named policy; empty for the default one. */
  readonly shown: Partial<Pick<NamedPolicy, 'name' | 'description' | 'author' | 'icon'>>;
  /** Its size in memory. */
  readonly bytes: number;
};

/** A policy at a number of changes of its paymaster. The result for one number never changes. */
type PolicyAt = Owned & { readonly policyId: string; readonly changes: number };

export type PolicyLoader = {
  /**
   * A policy in force; the default one for an empty id. Undefined for a named policy that does not exist or may not be
   * chosen.
   *
   * @throws RowError when it cannot be read.
   */
  load(at: PolicyAt): Promise<LoadedPolicy | undefined>;
  /** Call this when it is unknown what has changed. */
  forgetAll(): void;
};

/** Memory for the cached policies of all paymasters, in bytes. */
const maxKeptBytes = 16 * 1024 * 1024;

/** Reads policies when a request names them, in a cache bounded by memory. */
export function createPolicyLoader({ db }: Pick<Store, 'db'>): PolicyLoader {
  const known = new LRUCache<string, LoadedPolicy>({ maxSize: maxKeptBytes, sizeCalculation: ({ bytes }) => bytes });
  const once = createSharedReads<LoadedPolicy | undefined>();

  return {
    async load(at) {
      const key = `${at.paymasterId} ${at.policyId} ${at.changes}`;
      const kept = known.get(key);
      if (kept !== undefined) return kept;
      return once.read(key, async () => {
        const read = await readPolicy(db, at);
        // If a change happened during the read, the result belongs to neither number.
        const isOfNumber = (await readChanges(db, at.paymasterId)) === at.changes;
        if (read !== undefined && isOfNumber) known.set(key, read);
        return read;
      });
    },
    forgetAll: () => known.clear(),
  };
}

async function readPolicy(db: Kysely<Database>, at: PolicyAt): Promise<LoadedPolicy | undefined> {
  const { accountId, paymasterId, policyId } = at;
  const found = policyId === '' ? await readDefault(db, paymasterId) : await readNamed(db, at);
  if (found === undefined) return undefined;
  const { text, shown } = found;
  const policy =
    text === undefined ? defaultPolicy : await inOwnTurn(accountId, () => parsePolicy(text, policyId || paymasterId));
  const contracts = await readNamedContracts(db, at, policy);
  const { limits: calledLimits } = await inOwnTurn(accountId, () =>
    readCalledLimits(policy.limits, contracts.called, policy.methodGas),
  );
  await inOwnTurn(accountId, () => placesOf(calledLimits));
  return inOwnTurn(accountId, () => {
    const { rules: callRules } = readCallRules(policy.callRules, contracts.ruled);
    const bytes = policyBytes({ text, callRules, calledLimits, shown });
    return { policy, callRules, calledLimits, shown, bytes };
  });
}

async function readDefault(db: Kysely<Database>, paymasterId: string) {
  const row = await db
    .selectFrom('policies')
    .select('policy')
    .where('paymaster_id', '=', paymasterId)
    .executeTakeFirst();
  return { text: row?.policy, shown: {} };
}

async function readNamed(db: Kysely<Database>, { paymasterId, policyId }: PolicyAt) {
  const row = await db
    .selectFrom('named_policies')
    .select(['name', 'description', 'author', 'icon', 'policy'])
    .where('paymaster_id', '=', paymasterId)
    .where('policy_id', '=', policyId)
    .where('enabled', '=', 1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { name, description, author, icon, policy: text } = row;
  const shown = omitAbsent({
    name,
    description: description ?? undefined,
    author: author ?? undefined,
    icon: icon ?? undefined,
  });
  return { text, shown };
}

async function readChanges(db: Kysely<Database>, paymasterId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('paymasters')
    .select('changes')
    .where('paymaster_id', '=', paymasterId)
    .executeTakeFirst();
  return row?.changes;
}

/** Per character of the text of a policy and its conditions. */
const bytesOfCharacter = 8;
/** Per parameter of a method with rules, in addition to its name. */
const bytesOfParameter = 100;
/** Per selector in the sets and tables for counting calls. */
const bytesOfSelector = 100;
/** Per named contract or method, and for an empty policy. */
const bytesOfEntry = 1_000;

/** Approximate memory of a policy with its rules and limits, erring on the high side. */
function policyBytes(read: {
  readonly text: string | undefined;
  readonly shown: object;
  readonly callRules: CallRules;
  readonly calledLimits: CalledLimits;
}): number {
  let bytes = bytesOfEntry + bytesOfCharacter * (read.text?.length ?? 0) + 2 * JSON.stringify(read.shown).length;
  for (const { methods } of read.callRules.values()) {
    for (const { signature, parameters } of methods.values()) {
      bytes += bytesOfEntry + 2 * signature.length + bytesOfParameters(parameters);
    }
  }
  const sets = [...read.calledLimits.values()].flatMap(({ known, selectors }) => [
    known,
    ...(selectors ? [selectors] : []),
  ]);
  for (const selectors of new Set(sets)) bytes += bytesOfEntry + bytesOfSelector * selectors.size;
  return bytes;
}

function bytesOfParameters(parameters: readonly Argument[]): number {
  return parameters.reduce((sum, { name, type }) => sum + bytesOfParameter + 2 * name.length + bytesOfInner(type), 0);
}

/** All parameters share the objects of one-word types. */
function bytesOfInner(type: ArgumentType): number {
  if (type.kind === 'tuple') return bytesOfParameters(type.components);
  return type.kind === 'array' ? bytesOfParameter + bytesOfInner(type.element) : 0;
}

/** Lets concurrent callers share one read. Changed data is read under another key. */
type SharedReads<T> = { read(key: string, work: () => Promise<T>): Promise<T> };

export function createSharedReads<T>(): SharedReads<T> {
  const underWay = new Map<string, Promise<T>>();
  return {
    read(key, work) {
      const shared = underWay.get(key);
      if (shared !== undefined) return shared;
      const reading = work().finally(() => underWay.delete(key));
      underWay.set(key, reading);
      return reading;
    },
  };
}
