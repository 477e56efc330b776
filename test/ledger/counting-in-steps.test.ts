import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseUnits } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { defaultPolicy, type PolicyLimit } from '../../core/domain/policy.ts';
import { countStep, holdsInStep } from '../../core/ledger/holds/count-in-steps.ts';
import { createHoldQueue, type HoldQueue } from '../../core/ledger/holds/hold-queue.ts';
import type { HoldRequest } from '../../core/ledger/holds/hold-request.ts';
import { releaseExpired } from '../../core/ledger/posting/release-expired.ts';
import { takeBack } from '../../core/ledger/rollback/roll-back.ts';
import { managePolicies } from '../../core/management/policies/manage-policies.ts';
import { policyText } from '../../core/policies/policy-text.ts';
import { accepted } from '../../server/accepted.ts';
import {
  chainId,
  contract,
  depositEvent,
  holdRequest,
  insertPaymaster,
  landedEvent,
  numberedAddress,
  openLedger,
  post,
  tankOf,
} from '../support/core/ledger-lab.ts';

const now = Date.UTC(2026, 10, 20, 12) / 1000;
const clock = { now: () => now * 1000 };
const owned = {
  paymasterId: '10000000-0000-4000-8000-000000000001',
  accountId: '20000000-0000-4000-8000-000000000001',
};
const sender = numberedAddress(0xa1);
/** More than four steps count: requests come between them. */
const many = 4 * holdsInStep + 100;
const ever = { per: 'total', window: 'ever' } as const;

/** With many holds. */
let filled: Awaited<ReturnType<typeof openLedger>>;
let ledger: Awaited<ReturnType<typeof openLedger>>;
let queue: HoldQueue;
let policies: ReturnType<typeof openPolicies>;
let nonces: bigint;

beforeAll(async () => {
  filled = await openLedger();
  await insertPaymaster(filled.store, owned);
  await post(filled.store, [depositEvent(1, 10n ** 24n)]);
  queue = createHoldQueue(filled.store, clock, []);
  nonces = 0n;
  for (const half of [many / 2, many / 2]) await Promise.all(Array.from({ length: half }, () => ask()));
  await filled.store.close();
});
afterAll(() => filled.close());

beforeEach(async () => {
  nonces = BigInt(many);
  ledger = await openLedger(filled.database);
  queue = createHoldQueue(ledger.store, clock, []);
  policies = openPolicies();
});
afterEach(() => ledger.close());

function ask(over: Partial<HoldRequest> = {}) {
  nonces += 1n;
  // Every other one expires early.
  const validUntil = now + (nonces % 2n === 0n ? 300 : 600);
  const request = { tank: tankOf(1), paymasterId: owned.paymasterId, sender, nonce: nonces, amount: 5n, validUntil };
  return queue.hold(holdRequest({ ...request, ...over }));
}

/** By a process that ended before it had counted anything. */
async function setAtOnce(...limits: readonly PolicyLimit[]): Promise<void> {
  await ledger.store.db
    .insertInto('policies')
    .values({ paymaster_id: owned.paymasterId, policy: policyText({ ...defaultPolicy, limits }), updated_at: now })
    .execute();
}

function openPolicies() {
  return managePolicies({
    ...{ store: ledger.store, clock, coinPrice: async () => 10n ** 18n },
    config: { validity: { defaultSeconds: 300, minSeconds: 30, maxSeconds: 600 }, chains: [] },
    profiles: {
      find: async () => undefined,
      choose: async () => undefined,
      // All that is looked at of it.
      findById: async () => ({ paymaster: { chainId } }) as never,
      isCurrent: () => true,
      forget() {},
      forgetAll() {},
    },
  });
}

async function set(...limits: readonly PolicyLimit[]): Promise<void> {
  accepted(await policies.setPolicy({ ...owned, policy: { ...defaultPolicy, limits } }));
}

/** What a limit of nothing has counted, by what its refusal says. */
async function usedOf(over: Partial<HoldRequest> = {}): Promise<string | undefined> {
  const outcome = await ask({ usdMicrosPerCoin: 10n ** 18n, ...over });
  if (outcome.kind !== 'limited') return outcome.kind;
  const { used, unit } = outcome.refusal.details ?? {};
  // Millionths, as the limit has them.
  return unit === 'USD' && used !== undefined ? parseUnits(used, 6).toString() : used;
}

async function countedWei(): Promise<string> {
  const rows = await ledger.store.db
    .selectFrom('holds')
    .select('counted')
    .where('state', '<>', 'released')
    .where('counted', 'is not', null)
    .execute();
  return rows.reduce((sum, { counted }) => sum + BigInt(counted ?? 0), 0n).toString();
}

const priced = { usdMicrosPerCoin: 10n ** 18n };

test('a limit of all senders that was never counted knows all at once', async () => {
  await setAtOnce({ ...ever, unit: 'operations', max: BigInt(many) + 1n });
  expect((await ask()).kind).toBe('held');
  expect(await usedOf()).toBe(String(many + 1));
});

test('a limit in USD that was never counted refuses everything until it is, and then knows all', async () => {
  await setAtOnce({ ...ever, unit: 'usdMicros', max: BigInt(many) * 5n + 5n });
  const first = await ask(priced);
  expect(first).toMatchObject({ kind: 'limited', refusal: { reason: 'LIMIT_EXCEEDED', limitKind: 'POLICY_LIMIT' } });
  expect(first.kind === 'limited' && first.refusal.message).toContain('is still being counted. Try again');
  await vi.waitFor(async () => expect((await ask(priced)).kind).toBe('held'));
  expect(await usedOf()).toBe(String(many * 5 + 5));
});

test('a sender with many operations waits alone', async () => {
  await setAtOnce({ per: 'sender', window: 'ever', unit: 'operations', max: BigInt(many) + 1n });
  expect((await ask()).kind).toBe('limited');
  expect((await ask({ sender: numberedAddress(0xa2) })).kind).toBe('held');
  await vi.waitFor(async () => expect((await ask()).kind).toBe('held'));
  expect(await usedOf()).toBe(String(many + 1));
});

test.each<[string, Partial<HoldRequest>, readonly PolicyLimit[]]>([
  ['without a price', {}, []],
  ['with one', priced, []],
  ['under a limit in wei', priced, [{ ...ever, unit: 'wei', max: 10n ** 9n }]],
])('a policy counts before it is in force, and everything that changes meanwhile, %s', async (_, price, before) => {
  if (before.length > 0) await set(...before);
  let isSet = false;
  const setting = set({ ...ever, unit: 'usdMicros', max: 0n }, { ...ever, unit: 'operations', max: 10n ** 9n }).then(
    () => {
      isSet = true;
    },
  );
  const outcomes: string[] = [];
  while (!isSet) {
    // New ones, one that joins the first of all, and ends of early and late ones.
    const joining = outcomes.length < 2 ? { ...price, nonce: 1n, amount: 5n + nonces } : price;
    outcomes.push(...(await Promise.all([ask(price), ask(joining)])).map(({ kind }) => kind));
    await post(ledger.store, [landedEvent(0xa1, 3n + BigInt(outcomes.length), 2n)]);
    await ledger.store.transaction((transaction) =>
      releaseExpired(transaction, { chainId, contract, chainTime: now + 301 }, now),
    );
    await nextTurn();
  }
  await setting;
  // The last ones may have come after it.
  expect(outcomes.slice(0, -2)).toEqual(outcomes.slice(0, -2).map(() => 'held'));
  expect(outcomes.length).toBeGreaterThan(2);
  // As many USD as wei, at the price of all of them.
  await vi.waitFor(async () => expect(await usedOf()).toBe(await countedWei()));
});

test('of two policies that are set at once the later one stays, and both have counted all', async () => {
  const limits = [
    { ...ever, unit: 'usdMicros', max: 10n ** 9n },
    { ...ever, unit: 'wei', max: 0n },
  ] as const;
  const [first, second] = limits.map((limit) => set(limit));
  await Promise.all([first, second]);
  expect(await usedOf()).toBe(String(many * 5));
  await set(...limits);
  expect(await usedOf()).toBe(String(many * 5));
});

test('a count in USD that a process has left unfinished leaves the limit in force exact', async () => {
  await set({ ...ever, unit: 'wei', max: 0n });
  const key = { paymasterId: owned.paymasterId, policyId: '', subject: '', window: 'ever', start: 0 } as const;
  await ledger.store.transaction((transaction) => countStep(transaction, { key, ...priced }));
  expect(await usedOf()).toBe(String(many * 5));
  await post(ledger.store, [landedEvent(0xa1, 3n, 2n)]);
  expect(await usedOf()).toBe(String(many * 5 - 3));
  await set({ ...ever, unit: 'usdMicros', max: 0n });
  expect(await usedOf()).toBe(String(many * 5 - 3));
});

test('operations without a worth in USD are valued as they are counted', async () => {
  await set({ ...ever, unit: 'usdMicros', max: 0n });
  expect(await usedOf()).toBe(String(many * 5));
});

test('a rollback leaves what limits have counted as it was', async () => {
  await set({ ...ever, unit: 'usdMicros', max: BigInt(many) * 5n + 5n }, { ...ever, unit: 'wei', max: 10n ** 9n });
  expect((await ask({ nonce: 1n, usdMicrosPerCoin: 10n ** 18n })).kind).toBe('held');
  await post(ledger.store, [landedEvent(0xa1, 1n, 2n)]);
  const watch = await ledger.store.db.selectFrom('contract_watches').selectAll().executeTakeFirstOrThrow();
  await ledger.store.transaction((transaction) =>
    takeBack(
      transaction,
      {
        chainId,
        contract,
        watchBefore: BigInt(watch.next_block),
        toBlock: BigInt(watch.next_block) - 2n,
        nextBlock: BigInt(watch.next_block) - 1n,
        lastHash: '',
      },
      now,
    ),
  );
  // The first that asks is answered, not told to wait.
  expect((await ask({ usdMicrosPerCoin: 10n ** 18n })).kind).toBe('held');
  expect(await usedOf()).toBe(String(many * 5 + 5));
});
