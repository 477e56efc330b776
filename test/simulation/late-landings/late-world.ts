import { numberToHex, pad } from 'viem';
import { pruneAccounts } from '../../../core/decisions/pruning/prune-counts.ts';
import { defaultPolicy, type PolicyLimit } from '../../../core/domain/policy.ts';
import { createHoldQueue } from '../../../core/ledger/holds/hold-queue.ts';
import { releaseExpired } from '../../../core/ledger/posting/release-expired.ts';
import { revertTo } from '../../../core/ledger/revert/revert-to.ts';
import { policyText } from '../../../core/policies/policy-text.ts';
import type { Store } from '../../../core/store/store.ts';
import { createSeededRandom, type SeededRandom } from '../../support/arbitrary/seeded-random.ts';
import {
  chainId,
  contract,
  depositEvent,
  holdRequest,
  insertPaymaster,
  landedEvent,
  numberedAddress,
  openLedger,
  plenty,
  post,
  tankOf,
} from '../../support/core/ledger-lab.ts';
import { compareLate } from './compare-late.ts';
import {
  askInModel,
  expireInModel,
  type LateHold,
  type LateModel,
  landInModel,
  type RelayedOperation,
  rollBackInModel,
} from './late-model.ts';

export const paymasterId = '10000000-0000-4000-8000-000000000001';

/** What a step did that a defect may spoil. */
export type LateStep =
  | { readonly kind: 'landed'; readonly hold: LateHold; readonly isLate: boolean; readonly others: readonly LateHold[] }
  | { readonly kind: 'rolled back'; readonly releasedAgain: number }
  | { readonly kind: 'other' };

/** A limit's account, as it is stored. */
export type StoredAccount = { readonly account_id: number; readonly count: number; readonly amount: string };

/** Spoils what a step has written; `before` are the accounts as they were before the step. */
export type LateDefect = (
  store: Store,
  step: LateStep,
  before: readonly StoredAccount[],
) => Promise<unknown> | undefined;

/** How often what this world is about has happened. */
type Happened = { late: number; releasedAgain: number; landedAgain: number; limited: number };

type LateWorld = {
  readonly store: Store;
  readonly random: SeededRandom;
  readonly model: LateModel;
  readonly operations: RelayedOperation[];
  /** What is on the chain, oldest first. */
  readonly chain: { readonly operation: RelayedOperation; readonly block: bigint }[];
  readonly happened: Happened;
  now: number;
};

const senders = [0xa1, 0xa2, 0xa3];
const limits: readonly PolicyLimit[] = [
  { per: 'total', window: 'day', unit: 'operations', max: 9n },
  { per: 'sender', window: 'day', unit: 'wei', max: 900n },
  { per: 'total', window: 'month', unit: 'wei', max: 20_000n },
];
/** Sunday, 1 November 2026, 20:00:00 UTC. */
const beginning = Date.UTC(2026, 10, 1, 20) / 1000;
const validSeconds = 3_600;

/**
 * Relayed operations that land in time, late or again, with rollbacks: after each step the ledger is what a model says that only
 * knows what happened. Returns how often what it is about has happened.
 *
 * @throws Error that says what differs, with the seed and the step.
 */
export async function runLateLandings(run: {
  readonly seed: number;
  readonly steps: number;
  readonly defect?: LateDefect;
}): Promise<Happened> {
  const ledger = await openLedger();
  const world = await begin(ledger.store, run.seed);
  try {
    for (let step = 0; step < run.steps; step += 1) {
      const before = await readAccounts(ledger.store);
      const taken = await takeStep(world);
      await run.defect?.(ledger.store, taken, before);
      await compareLate(ledger.store, world.model, world.now).catch((cause: unknown) => {
        throw new Error(`Seed ${run.seed}, step ${step} (${taken.kind}): ${String(cause)}`, { cause });
      });
    }
  } finally {
    await ledger.close();
  }
  return world.happened;
}

async function begin(store: Store, seed: number): Promise<LateWorld> {
  await insertPaymaster(store, { paymasterId, accountId: '20000000-0000-4000-8000-000000000001' });
  const policy = policyText({ ...defaultPolicy, limits });
  await store.db.insertInto('policies').values({ paymaster_id: paymasterId, policy, updated_at: beginning }).execute();
  await post(store, [depositEvent(1, plenty)], { now: beginning });
  return {
    store,
    random: createSeededRandom(seed),
    model: { limits, holds: [], landings: [] },
    operations: [],
    chain: [],
    happened: { late: 0, releasedAgain: 0, landedAgain: 0, limited: 0 },
    now: beginning,
  };
}

function readAccounts({ db }: Store): Promise<StoredAccount[]> {
  return db
    .selectFrom('ledger_accounts')
    .select(['account_id', 'count', 'amount'])
    .where('name', 'like', 'limit/%')
    .execute();
}

async function takeStep(world: LateWorld): Promise<LateStep> {
  const { random, store } = world;
  const lot = random.below(100);
  if (lot < 35) return ask(world);
  if (lot < 65) return land(world);
  if (lot < 75) return rollBack(world);
  if (lot < 85) {
    world.now += random.pick([60, 1_800, 4_000, 30_000]);
    return other;
  }
  if (lot < 97) return expire(world);
  await pruneAccounts(store, world.now);
  return other;
}

const other: LateStep = { kind: 'other' };

/** A new operation, one of before, or another for the nonce of one. */
async function ask(world: LateWorld): Promise<LateStep> {
  const { random, operations, store, model, now, happened } = world;
  const before = operations.length > 0 && random.chance(50) ? random.pick(operations) : undefined;
  const operation = before !== undefined && random.chance(50) ? before : freshOperation(world, before);
  if (operation !== before) operations.push(operation);
  const { hash, sender, nonce, amount } = operation;
  const validUntil = now + validSeconds;
  const outcome = await createHoldQueue(store, { now: () => now * 1000 }, []).hold(
    holdRequest({
      tank: tankOf(1),
      paymasterId,
      sender: numberedAddress(sender),
      nonce,
      amount,
      validUntil,
      relayed: { userOperationHash: hash, operation: '{}' },
    }),
  );
  const isHeld = askInModel(model, operation, { now, validUntil });
  if (!isHeld) happened.limited += 1;
  const expected = isHeld ? 'held' : 'limited';
  if (outcome.kind !== expected) throw new Error(`A request was ${outcome.kind}, by the model ${expected}.`);
  return other;
}

function freshOperation({ random, operations }: LateWorld, sameNonce: RelayedOperation | undefined): RelayedOperation {
  const serial = operations.length + 1;
  return {
    hash: pad(numberToHex(0xabc000 + serial), { size: 32 }),
    sender: sameNonce?.sender ?? random.pick(senders),
    nonce: sameNonce?.nonce ?? BigInt(serial),
    amount: BigInt(random.between(50, 200)),
  };
}

/** The chain takes an operation whose nonce is not used: also one whose hold has ended. */
async function land(world: LateWorld): Promise<LateStep> {
  const { random, chain, store, model, now, happened } = world;
  const open = world.operations.filter(({ sender, nonce }) => {
    return !chain.some(({ operation }) => operation.sender === sender && operation.nonce === nonce);
  });
  if (open.length === 0) return other;
  const operation = random.pick(open);
  // Some cost more than was held: the operator bears that.
  const cost = BigInt(random.between(1, 220));
  const event = landedEvent(operation.sender, operation.nonce, cost);
  await post(store, [{ ...event, userOperationHash: operation.hash, relayed: true }], { now });
  const block = event.blockNumber;
  chain.push({ operation, block });
  const landed = landInModel(model, operation, { cost, block });
  if (landed === undefined) return other;
  const others = model.holds.filter((hold) => hold !== landed.hold && hold.hashes.has(operation.hash));
  if (landed.isLate) happened.late += 1;
  if (others.length > 0) happened.landedAgain += 1;
  return { kind: 'landed', ...landed, others };
}

async function rollBack(world: LateWorld): Promise<LateStep> {
  const { random, chain, store, model, now, happened } = world;
  const from = chain.at(-random.between(1, 4));
  if (from === undefined) return other;
  const toBlock = from.block - 1n;
  await store.transaction(async (transaction) => {
    const { next_block } = await transaction
      .selectFrom('contract_watches')
      .select('next_block')
      .executeTakeFirstOrThrow();
    const reversal = { chainId, contract, watchBefore: BigInt(next_block), toBlock, nextBlock: toBlock + 1n } as const;
    await revertTo(transaction, { ...reversal, lastHash: '0x' }, now);
  });
  while ((chain.at(-1)?.block ?? 0n) > toBlock) chain.pop();
  const releasedAgain = rollBackInModel(model, toBlock);
  happened.releasedAgain += releasedAgain;
  return { kind: 'rolled back', releasedAgain };
}

async function expire({ store, model, now }: LateWorld): Promise<LateStep> {
  const stretch = { chainId, contract, chainTime: now };
  await store.transaction((transaction) => releaseExpired(transaction, stretch, now));
  expireInModel(model, now);
  return other;
}
