import { parseUnits } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { defaultPolicy, type PolicyLimit } from '../../core/domain/policy.ts';
import { holdsInStep } from '../../core/ledger/holds/count-in-steps.ts';
import { createHoldQueue, type HoldQueue } from '../../core/ledger/holds/hold-queue.ts';
import type { HoldRequest } from '../../core/ledger/holds/hold-request.ts';
import { managePolicies } from '../../core/management/policies/manage-policies.ts';
import { openStore } from '../../core/store/open-store.ts';
import type { Store } from '../../core/store/store.ts';
import { accepted } from '../../server/accepted.ts';
import {
  chainId,
  depositEvent,
  holdRequest,
  insertPaymaster,
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
/** More than two steps count. */
const many = 2 * holdsInStep + 100;
/** As many millionths of a USD as wei. */
const usdMicrosPerCoin = 10n ** 18n;

/** With many holds. */
let filled: Awaited<ReturnType<typeof openLedger>>;
let ledger: Awaited<ReturnType<typeof openLedger>>;
let gate: ReturnType<typeof standAtGate>;
let queue: HoldQueue;
let nonces: bigint;

beforeAll(async () => {
  filled = await openLedger();
  await insertPaymaster(filled.store, owned);
  await post(filled.store, [depositEvent(1, 10n ** 24n)]);
  nonces = 0n;
  const filling = createHoldQueue(filled.store, clock, []);
  for (const half of [many / 2, many / 2]) await Promise.all(Array.from({ length: half }, () => request(filling)));
  await filled.store.close();
});
afterAll(() => filled.close());

beforeEach(async () => {
  ledger = await openLedger(filled.database);
  gate = standAtGate(ledger.store);
  queue = createHoldQueue(gate.store, clock, []);
});
afterEach(() => ledger.close());

/** The store, behind a gate: until it is opened, a transaction waits there unless it is one of a given number. */
function standAtGate(store: Store) {
  const waiting: { readonly pass: () => void; readonly fail: (cause: Error) => void }[] = [];
  let isShut = true;
  let given = 0;
  return {
    store: {
      ...store,
      transaction: async <T>(work: Parameters<typeof store.transaction<T>>[0]): Promise<T> => {
        if (isShut && given === 0) {
          await new Promise<void>((resolve, reject) => void waiting.push({ pass: resolve, fail: reject }));
        } else if (isShut) given -= 1;
        return store.transaction(work);
      },
    },
    waiting,
    open: () => {
      isShut = false;
      for (const { pass } of waiting.splice(0)) pass();
    },
    /** Lets the next one through that comes. */
    give: () => {
      given += 1;
    },
  };
}

function request(to: HoldQueue, over: Partial<HoldRequest> = {}) {
  nonces += 1n;
  const { paymasterId } = owned;
  return to.hold(
    holdRequest({ tank: tankOf(1), paymasterId, sender, nonce: nonces, amount: 5n, validUntil: now + 300, ...over }),
  );
}

/** A request that does not wait for what is counted behind it. */
function ask(over: Partial<HoldRequest> = {}) {
  gate.give();
  return request(queue, { usdMicrosPerCoin, ...over });
}

/** Lets one transaction through that waits. */
function passOne(): void {
  gate.waiting.shift()?.pass();
}

/** A second process on the same file. */
async function startAnother() {
  const store = await openStore(ledger.database);
  onTestFinished(() => store.close());
  return createHoldQueue(store, clock, []);
}

const kindOf = async (asked: ReturnType<typeof request>) => (await asked).kind;

const set = (...limits: readonly PolicyLimit[]): Promise<void> => setBy(ledger.store, limits);

async function setBy(store: Store, limits: readonly PolicyLimit[]): Promise<void> {
  const policies = managePolicies({
    ...{ store, clock, coinPrice: async () => usdMicrosPerCoin },
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
  accepted(await policies.setPolicy({ ...owned, policy: { ...defaultPolicy, limits } }));
}

const ofSender = (limit: Partial<PolicyLimit> = {}): PolicyLimit => ({
  ...{ per: 'sender', window: 'ever', unit: 'operations', max: 10n ** 9n },
  ...limit,
});

const patience = { timeout: 20_000 };

/** Awaits that a limit of the sender has counted some operations, without a request that would count with it. */
async function counted(operations: number, window = 'ever'): Promise<void> {
  await vi.waitFor(async () => {
    const row = await ledger.store.db
      .selectFrom('limit_usage')
      .select('operations')
      .where('span', '=', window as 'ever')
      .executeTakeFirst();
    expect(row?.operations).toBe(operations);
  }, patience);
}

/** What a limit has counted, by the refusal of a request for more than anything. */
async function usedOf(to = ask): Promise<string | undefined> {
  const outcome = await to();
  if (outcome.kind !== 'limited') return outcome.kind;
  const { used, unit } = outcome.refusal.details ?? {};
  // Millionths, as the limit has them.
  return unit === 'USD' && used !== undefined ? parseUnits(used, 6).toString() : used;
}

test('after one refusal, a new limit of a sender is counted while no one asks', async () => {
  await set(ofSender({ max: BigInt(many) + 1n }));
  gate.open();
  expect(await kindOf(ask())).toBe('limited');
  await counted(many);
  expect(await kindOf(ask())).toBe('held');
  expect(await usedOf()).toBe(String(many + 1));
});

test('however many ask meanwhile, they wait for one step at most', async () => {
  await set(ofSender());
  for (let asked = 0; asked < 2; asked += 1) expect(await kindOf(ask())).toBe('limited');
  expect(gate.waiting).toHaveLength(1);
});

test.each(['operations', 'usdMicros'] as const)(
  'what requests have counted before is not counted again behind them, and the next count has its turn: %s',
  async (unit) => {
    await set(ofSender({ unit }));
    const outcomes = [await kindOf(ask()), await kindOf(ask()), await kindOf(ask())];
    expect(outcomes).toEqual(['limited', 'limited', 'held']);
    passOne();
    // In the order of the calls, so that the step which has just been let through is before it.
    expect(await kindOf(ask())).toBe('held');

    await set(ofSender({ unit, window: 'week' }));
    expect(await kindOf(ask())).toBe('limited');
    gate.open();
    await counted(many + 2, 'week');
    expect(await kindOf(ask())).toBe('held');
  },
);

test('counting that fails half way goes on with the next request', async () => {
  await set(ofSender());
  expect(await kindOf(ask())).toBe('limited');
  gate.waiting.shift()?.fail(new Error('disk full'));
  expect(await kindOf(ask())).toBe('limited');
  gate.open();
  await counted(many);
  expect(await kindOf(ask())).toBe('held');
});

test('a stop leaves what is counted, and the next start goes on from there', async () => {
  await set(ofSender({ max: BigInt(many) + 1n }));
  expect(await kindOf(ask())).toBe('limited');
  passOne();
  await counted(2 * holdsInStep);
  await vi.waitFor(() => expect(gate.waiting).toHaveLength(1), patience);
  await ledger.store.close();
  gate.open();

  const next = await startAnother();
  expect(await kindOf(request(next))).toBe('held');
  expect(await usedOf(() => request(next))).toBe(String(many + 1));
});

test('two processes that count the same count each operation once', async () => {
  await set(ofSender({ max: BigInt(many) + 1n }));
  const other = await startAnother();
  expect(await kindOf(ask())).toBe('limited');
  expect(await kindOf(request(other))).toBe('limited');
  gate.open();
  await counted(many);
  expect(await kindOf(ask())).toBe('held');
  expect(await usedOf(() => request(other))).toBe(String(many + 1));
});

test('a limit in USD does not go on from what is still counted behind for the former limit', async () => {
  await set(ofSender());
  expect(await kindOf(ask())).toBe('limited');
  await set(ofSender({ unit: 'usdMicros', max: 0n }));
  // The former one's next step comes after the change.
  passOne();
  await counted(holdsInStep);
  // Or the step after it would take what is given to the request.
  await vi.waitFor(() => expect(gate.waiting).toHaveLength(1), patience);
  expect(await usedOf()).toBeUndefined();
  gate.open();
  await vi.waitFor(async () => expect(await usedOf()).toBe(String(many * 5)), patience);
});

test('what changes an operation that is counted already does not begin the count of a new policy again', async () => {
  const setting = setBy(gate.store, [{ per: 'total', window: 'ever', unit: 'usdMicros', max: 0n }]);
  const passNext = async () => {
    await vi.waitFor(() => expect(gate.waiting).toHaveLength(1), patience);
    passOne();
  };
  // The beginning, and the first step.
  await passNext();
  await passNext();
  await counted(holdsInStep);
  await vi.waitFor(() => expect(gate.waiting).toHaveLength(1), patience);
  expect(await kindOf(ask({ nonce: 1n, amount: 6n }))).toBe('held');
  await passNext();
  await counted(2 * holdsInStep);
  gate.open();
  await setting;
  expect(await usedOf()).toBe(String(many * 5 + 1));
});
