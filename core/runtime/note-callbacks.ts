import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Hex } from 'viem';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import { entriesUpTo } from '../base/values/fair-cache.ts';
import { findCallbacks } from '../gas/simulation/find-callbacks.ts';
import { readCalledBack } from '../paymasters/called-back.ts';
import type { SponsorProfiles } from '../paymasters/sponsor-profiles.ts';
import { decodeInnerCalls } from '../sponsorship/permit/decode-calls.ts';
import type { ChainRuntime, SignedCalls } from '../sponsorship/run/sponsorship-parts.ts';
import type { Store } from '../store/store.ts';

type Parts = {
  readonly store: Store;
  readonly profiles: Pick<SponsorProfiles, 'find'>;
  readonly chains: ReadonlyMap<number, Pick<ChainRuntime, 'client'>>;
  readonly clock: Clock;
  readonly logger: Logger;
};

/** Questions about a method after a change of its paymaster: one operation may show nothing, or meet a state that changed. */
const firstQuestions = 3;
/** Time between later ones, in milliseconds: callers choose their operations, and the first ones may have been chosen to show nothing. */
const laterMs = 600_000;
/** Methods whose questions are counted. */
const maxMethods = 10_000;
/** How long a node that did not answer is not asked again, in milliseconds. */
const restMs = 60_000;

type Method = { readonly target: string; readonly selector: Hex };
/** How often a method has been asked about, and when last, in Unix milliseconds. */
type Asked = { readonly times: number; readonly lastAt: number };

export type CallbackNotes = { noteSigned(signed: SignedCalls): void; close(): Promise<void> };

/**
 * Finds whitelisted methods that run code of the caller's choice: in the background, with the first operations that are signed after a
 * change of the paymaster, and now and then with a later one. Asks one question at a time on each chain. What it finds is written to the contract for its owner.
 */
export function createCallbackNotes({ store, profiles, chains, clock, logger }: Parts): CallbackNotes {
  const asked = new LRUCache<string, Asked>(entriesUpTo(maxMethods));
  const busy = new Set<number>();
  const restUntil = new Map<number, number>();
  const running = new Set<Promise<void>>();

  async function note(signed: SignedCalls): Promise<void> {
    await setImmediate();
    const { apiKey, chainId } = signed.request;
    const chain = chains.get(chainId);
    const profile = await profiles.find(apiKey);
    if (chain === undefined || profile === undefined) return;
    const { paymasterId } = profile.paymaster;
    const keyOf = ({ target, selector }: Method) => `${paymasterId} ${profile.readAt} ${target} ${selector}`;
    const methods = findMethods(signed, (method) => {
      const isListed = profile.contracts.get(method.target)?.selectors.has(method.selector) === true;
      return isListed && isDue(asked.get(keyOf(method)), clock.now());
    });
    if (methods.length === 0 || busy.has(chainId) || clock.now() < (restUntil.get(chainId) ?? 0)) return;
    busy.add(chainId);
    try {
      const seen = await askAbout(chain, signed, await withoutKnown(store, paymasterId, methods));
      if (seen === undefined) return void restUntil.set(chainId, clock.now() + restMs);
      await writeSeen(store, { paymasterId, decisionId: signed.decisionId, seen });
      const lastAt = clock.now();
      for (const method of methods) {
        const { times = 0 } = asked.get(keyOf(method)) ?? {};
        asked.set(keyOf(method), { times: times + 1, lastAt });
      }
    } finally {
      busy.delete(chainId);
    }
  }

  return {
    noteSigned(signed) {
      const noting = note(signed)
        .catch((err: unknown) => logger.warn({ err }, 'It could not be found which methods call back'))
        .finally(() => running.delete(noting));
      running.add(noting);
    },
    close: async () => void (await Promise.all(running)),
  };
}

function isDue(asked: Asked | undefined, now: number): boolean {
  return asked === undefined || asked.times < firstQuestions || now - asked.lastAt >= laterMs;
}

/** The methods that an operation calls, each once, for which `isWanted`. */
function findMethods({ calls }: SignedCalls, isWanted: (method: Method) => boolean): readonly Method[] {
  const methods = new Map<string, Method>();
  for (const { target, selector } of calls) {
    if (selector === undefined) continue;
    const method = { target: target.toLowerCase(), selector };
    if (isWanted(method)) methods.set(`${method.target} ${selector}`, method);
  }
  return [...methods.values()];
}

/** The methods of which it is not known yet. */
async function withoutKnown(store: Store, paymasterId: string, methods: readonly Method[]): Promise<readonly Method[]> {
  const addresses = [...new Set(methods.map(({ target }) => target))];
  const rows = await store.db
    .selectFrom('contracts')
    .select(['paymaster_id', 'address', 'called_back'])
    .where('paymaster_id', '=', paymasterId)
    .where('address', 'in', addresses)
    .execute();
  const known = new Map(rows.map((row) => [row.address, readCalledBack(row)]));
  return methods.filter(({ target, selector }) => known.get(target)?.[selector] === undefined);
}

/** Those of the methods that run code of the caller's choice in this operation; undefined if the node does not answer. */
async function askAbout(
  { client }: Pick<ChainRuntime, 'client'>,
  { operation, account }: SignedCalls,
  methods: readonly Method[],
): Promise<readonly Method[] | undefined> {
  const decoded = decodeInnerCalls(operation, account);
  if (methods.length === 0 || !decoded.ok) return [];
  const { calls } = decoded.value;
  const answer = await findCallbacks(client, operation.sender, calls);
  if (!answer.ok) return undefined;
  const entering = calls.filter((_, index) => answer.value[index] === true);
  return methods.filter((method) =>
    entering.some(({ target, selector }) => target.toLowerCase() === method.target && selector === method.selector),
  );
}

type Seen = { readonly paymasterId: string; readonly decisionId: string; readonly seen: readonly Method[] };

/** Nothing is written for a contract or method that is not whitelisted any more. */
async function writeSeen(store: Store, { paymasterId, decisionId, seen }: Seen): Promise<void> {
  if (seen.length === 0) return;
  await store.transaction(async (trx) => {
    for (const { target, selector } of seen) {
      const row = await trx
        .selectFrom('contracts')
        .select(['contract_number', 'paymaster_id', 'address', 'selectors', 'called_back'])
        .where('paymaster_id', '=', paymasterId)
        .where('address', '=', target)
        .executeTakeFirst();
      if (row?.selectors.includes(selector) !== true) continue;
      await trx
        .updateTable('contracts')
        .set({ called_back: JSON.stringify({ ...readCalledBack(row), [selector]: decisionId }) })
        .where('contract_number', '=', row.contract_number)
        .execute();
    }
  });
}
