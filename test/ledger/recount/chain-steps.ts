import { type Address, type Hex, numberToHex, pad } from 'viem';
import { pruneAccounts, pruneEndedLimits } from '../../../core/decisions/pruning/prune-counts.ts';
import { type ArchivePlace, archiveTurn } from '../../../core/ledger/archiving/archive-ledger.ts';
import { closeHolds } from '../../../core/ledger/holds/close-holds.ts';
import { createVendorQuestions } from '../../../core/ledger/holds/end-vendor-question.ts';
import { forgetUnpaid as forgetUnpaidStored } from '../../../core/ledger/holds/forget-unpaid.ts';
import { tidyRelays as tidyStored } from '../../../core/ledger/holds/relayed-operations.ts';
import { WatchMoved } from '../../../core/ledger/posting/pass-block.ts';
import { postEvents } from '../../../core/ledger/posting/post-events.ts';
import { releaseExpired } from '../../../core/ledger/posting/release-expired.ts';
import { revertTo } from '../../../core/ledger/revert/revert-to.ts';
import type { ChainEvent, UserOperationLanded } from '../../../core/node/chain-event.ts';
import { numberedAddress } from '../../support/core/ledger-lab.ts';
import { expire, forgetUnpaid, giveBack, keepAnswer, land, prune, release, rollBack, tidyRelays } from './follow.ts';
import { isAtTank } from './model.ts';
import type { Operation } from './operations.ts';
import { coin, contracts, note, tenants, timeOf, usedKey, type World, weiBetween } from './world.ts';

const day = 86_400;
/** A ledger is archived once so many blocks stand on its rows. */
const farBlocks = 60_000;
/** A rollback of what is older than that reaches accounts that were pruned, which no chain does. */
const rollbackDays = 12;

type Followed = (typeof contracts)[number];

function positionIn(world: World, block: number): Pick<ChainEvent, 'blockNumber' | 'txHash' | 'logIndex'> {
  world.serial += 1;
  return { blockNumber: BigInt(block), txHash: pad(numberToHex(world.serial), { size: 32 }), logIndex: world.serial };
}

function nextBlock(world: World, chainId: number): number {
  const block = (world.blocks.get(chainId) ?? 0) + (world.random.chance(3) ? farBlocks : 1);
  world.blocks.set(chainId, block);
  return block;
}

async function post(
  world: World,
  { chainId, address }: Followed,
  events: readonly ChainEvent[],
): Promise<bigint | undefined> {
  const { random, watches } = world;
  const price = random.chance(85) ? BigInt(random.between(1, 4)) * coin : undefined;
  const name = `${chainId} ${address}`;
  const before = watches.get(name);
  const next = (world.blocks.get(chainId) ?? 0) + 1;
  const stretch = {
    chainId,
    contract: address,
    events,
    watchBefore: before === undefined ? undefined : BigInt(before),
    nextBlock: BigInt(next),
    lastHash: '0x',
  } as const;
  const now = timeOf(world);
  const priced = price === undefined ? stretch : { ...stretch, coinPrice: { usdMicrosPerCoin: price, at: now } };
  await world.store.transaction((transaction) => postEvents(transaction, priced, now));
  watches.set(name, next);
  return price;
}

/** Someone fills a tank. */
export async function deposit(
  world: World,
  tank = world.random.pick(tenants).tank,
  amount = weiBetween(world.random, 2_000, 30_000),
): Promise<void> {
  const block = nextBlock(world, tank.chainId);
  const followed = contracts.find((one) => one.chainId === tank.chainId && one.address === tank.contract);
  if (followed === undefined) return;
  const event = {
    kind: 'deposit',
    contract: tank.contract,
    totalDeposit: 0n,
    direct: { wallet: tank.wallet, amount },
    ...positionIn(world, block),
  } as const;
  await post(world, followed, [event]);
  world.model.deposits.push({ tank, amount, block });
}

/** Some operations land on a contract: live ones, relayed ones that were released before, and some that nothing explains. */
export async function landSome(world: World): Promise<void> {
  const { random, model, used } = world;
  const followed = random.pick(contracts);
  const { chainId, address } = followed;
  const may = model.operations.filter((one) => {
    if (one.chainId !== chainId || one.contract !== address || isUsed(used, one)) return false;
    if (one.state === 'released') return one.relays.size > 0;
    return one.state === 'live' && one.amount > 0n && (followed.isRelay || one.validUntil >= world.chainTime);
  });
  const chosen = random.shuffle(may).slice(0, random.between(1, 4));
  const places = new Set<string>();
  const own = chosen.filter((one) => !places.has(usedKey(one)) && places.add(usedKey(one)));
  if (own.length === 0) return;
  const block = nextBlock(world, chainId);
  const events = own.map((one) => eventOf(world, one, { followed, block }));
  const price = await post(world, followed, events);
  for (const event of events) {
    const stateBefore = new Map(model.operations.map((one) => [one.holdId, one.state]));
    const paid = land(model, event, { chainId, now: timeOf(world), price });
    world.used.push({ chainId, key: `${event.sender}:${event.nonce}`, block, at: timeOf(world) });
    noteLanding(world, { event, paid, wasReleased: stateBefore.get(paid?.holdId ?? 0) === 'released' });
  }
}

function isUsed(used: World['used'], operation: Operation): boolean {
  return used.some(({ chainId, key }) => chainId === operation.chainId && key === usedKey(operation));
}

function noteLanding(
  world: World,
  {
    event,
    paid,
    wasReleased,
  }: { readonly event: UserOperationLanded; readonly paid: Operation | undefined; readonly wasReleased: boolean },
): void {
  note(world, paid === undefined ? 'landed without a hold' : 'landed');
  if (wasReleased) note(world, 'landed late');
  const after = world.model.operations.find(({ holdId }) => holdId === paid?.holdId);
  if (after?.landed?.unpaid !== undefined) note(world, 'landed unpaid');
  if (after?.sponsored !== undefined && after.sponsored.userPercent > 0) note(world, 'landed with a share');
  const { sender, nonce } = event;
  const others = world.model.operations.filter((one) => one.isReplaced && one.sender === sender && one.nonce === nonce);
  if (others.length > 0) note(world, 'replaced');
}

/** Most carry a name by which they are found. */
function eventOf(
  world: World,
  one: Operation,
  { followed, block }: { readonly followed: Followed; readonly block: number },
): UserOperationLanded {
  const { random } = world;
  const [name] = random.shuffle([...one.names.keys()]);
  const [hash] = random.shuffle([...one.relays]);
  world.serial += 1;
  const unknown: Hex = pad(numberToHex(0xdead_0000_0000n + BigInt(world.serial)), { size: 32 });
  const common = {
    kind: 'user-operation',
    contract: followed.address,
    sender: one.sender as Address,
    nonce: one.nonce,
    success: random.chance(90),
    ...positionIn(world, block),
  } as const;
  const actualGasCost = (one.amount * BigInt(random.between(1, followed.isRelay ? 1_150 : 1_000))) / 1_000n + 1n;
  if (followed.isRelay)
    return {
      ...common,
      actualGasCost,
      userOperationHash: random.chance(92) ? (hash ?? unknown) : unknown,
      relayed: true,
    };
  const seen = random.below(100);
  const contentIds = seen < 80 && name !== undefined ? { contentIds: [name] } : seen < 90 ? { contentIds: [] } : {};
  const isPaid = one.atRisk !== undefined && random.chance(40);
  const tokenPayment = isPaid
    ? { tokenPayment: { token: numberedAddress(0x70), amount: 7n, logIndex: common.logIndex - 1 } }
    : {};
  return { ...common, actualGasCost, userOperationHash: unknown, ...contentIds, ...tokenPayment };
}

/** What has expired by the chain's time is released, on each contract. */
export async function expireAll(world: World): Promise<void> {
  const { store, model, chainTime } = world;
  for (const { chainId, address } of contracts) {
    const stretch = { chainId, contract: address, chainTime };
    for (let more = true; more; )
      more = (await store.transaction((transaction) => releaseExpired(transaction, stretch, timeOf(world)))).more;
    expire(model, { chainId, contract: address, chainTime });
  }
}

/** The operator releases an open hold. */
export async function releaseByOperator(world: World): Promise<void> {
  const { random, store, model } = world;
  const open = model.operations.filter(({ state }) => state === 'live');
  if (open.length === 0) return;
  const one = random.pick(open);
  const byOperator = { reason: 'a test', ground: 'shown' };
  const end = { state: 'released', because: 'operator', byOperator, now: timeOf(world) } as const;
  await store.transaction((transaction) => closeHolds(transaction, new Map([[one.holdId, end]])));
  release(model, one);
  note(world, 'released by the operator');
}

/** Another paymaster answers a question, or does not. */
export async function endQuestion(world: World): Promise<void> {
  const { random, store, model, questions } = world;
  const [question] = questions.length === 0 ? [] : questions.splice(random.below(questions.length), 1);
  if (question === undefined) return;
  const { holdId, requestKey, added, askedUntil } = question;
  const service = createVendorQuestions(store, { now: () => timeOf(world) * 1000 });
  const of = { holdId, reservation: { added, askedUntil } };
  if (random.chance(40)) {
    await service.giveBack(of);
    if (giveBack(model, holdId, question)) note(world, 'another paymaster: given back');
    return;
  }
  const kept = { requestKey, answer: `answer ${world.serial}`, validUntil: timeOf(world) + random.pick([300, 90_000]) };
  world.serial += 1;
  const isKept = await service.keepAnswer(of, { ...kept, decision: undefined });
  if (isKept !== keepAnswer(model, holdId, kept)) throw new Error(`An answer for hold ${holdId} was kept: ${isKept}.`);
  note(world, isKept ? 'another paymaster: answered' : 'another paymaster: answered too late');
}

/** The last blocks of a chain are gone, unless rows of them are archived. */
export async function rollBackSome(world: World): Promise<void> {
  const { random, model, store } = world;
  const chainId = random.pick([1, 1, 2]);
  const events = world.used.filter((one) => one.chainId === chainId);
  const from = events.at(-random.between(1, random.chance(25) ? 30 : 5));
  // Accounts in which nothing is open are kept for 14 days.
  if (from === undefined || Math.max(world.prunedAt, timeOf(world)) - from.at > rollbackDays * day) return;
  const toBlock = from.block - 1;
  const { archived } = await store.db
    .selectFrom('contract_watches')
    .select(({ fn }) => fn.max<number | null>('archived_block').as('archived'))
    .where('chain_id', '=', chainId)
    .executeTakeFirstOrThrow();
  if ((archived ?? -1) > toBlock) return refuseRollback(world, chainId, toBlock);
  for (const { address } of contracts.filter((one) => one.chainId === chainId))
    await revert(world, { chainId, address, toBlock });
  const happened = rollBack(model, { chainId, toBlock });
  for (const [what, times] of Object.entries(happened)) note(world, `rolled back: ${what}`, times);
  if ((archived ?? 0) > 0) note(world, 'rolled back after archiving');
  world.used = world.used.filter((one) => one.chainId !== chainId || one.block <= toBlock);
  world.blocks.set(chainId, toBlock);
}

async function revert(
  world: World,
  { chainId, address, toBlock }: { readonly chainId: number; readonly address: Address; readonly toBlock: number },
): Promise<void> {
  const name = `${chainId} ${address}`;
  const before = world.watches.get(name);
  if (before === undefined || before <= toBlock + 1) return;
  const reversal = {
    chainId,
    contract: address,
    watchBefore: BigInt(before),
    toBlock: BigInt(toBlock),
    nextBlock: BigInt(toBlock + 1),
    lastHash: '0x',
  } as const;
  await world.store.transaction((transaction) => revertTo(transaction, reversal, timeOf(world)));
  world.watches.set(name, toBlock + 1);
}

/** Some contract of the chain has archived rows of later blocks. */
async function refuseRollback(world: World, chainId: number, toBlock: number): Promise<void> {
  const rows = await world.store.db
    .selectFrom('contract_watches')
    .select(['contract', 'archived_block'])
    .where('chain_id', '=', chainId)
    .where('archived_block', '>', toBlock)
    .execute();
  for (const { contract } of rows) {
    const address = contracts.find((one) => one.address === contract)?.address ?? '0x';
    const refused = await revert(world, { chainId, address, toBlock }).then(
      () => false,
      (cause: unknown) => cause instanceof WatchMoved,
    );
    if (!refused) throw new Error(`The ledger of ${contract} was rolled back behind what is archived.`);
    note(world, 'rollback behind the archive refused');
  }
}

/** What is done in the background, as often as it comes. */
export async function sweep(world: World): Promise<void> {
  const { store, model } = world;
  const now = timeOf(world);
  while (!(await forgetUnpaidStored(store, now)));
  note(world, 'unpaid no longer counted', forgetUnpaid(model, now));
  while (!(await pruneAccounts(store, now)));
  const { windows, tickets } = prune(model, now);
  note(world, 'counts of windows pruned', windows);
  note(world, 'tickets forgotten', tickets);
  while (!(await pruneEndedLimits(store)));
  for (const { chainId, address, isRelay } of contracts)
    if (isRelay) await tidyStored(store, { chainId, contract: address }, now);
  tidyRelays(model, now);
  world.prunedAt = Math.max(world.prunedAt, now);
}

/** Archives what ended more than a day ago and no rollback reaches. The model does not know: all that it left goes on counting. */
export async function archive(world: World): Promise<void> {
  const { store } = world;
  const count = async () =>
    (
      await store.db
        .selectFrom('holds')
        .select(({ fn }) => fn.countAll<number>().as('all'))
        .executeTakeFirstOrThrow()
    ).all;
  const before = Number(await count());
  // They are answered or given up within a minute.
  world.questions.length = 0;
  let from: ArchivePlace | undefined;
  do from = await archiveTurn(store, { from, before: timeOf(world) - day });
  while (from !== undefined);
  note(world, 'holds archived', before - Number(await count()));
}

/** Some time passes, now and then some days; clocks are set. */
export function passTime(world: World): void {
  const { random } = world;
  world.chainTime += random.below(1_800);
  if (random.chance(4)) world.chainTime += random.pick([20_000, day, 3 * day]);
  if (random.chance(1)) world.chainTime += 9 * day;
  if (!random.chance(4)) return;
  const before = world.clockAhead;
  world.clockAhead = random.pick([-30_000, 0, 0, 40_000, 2 * day]);
  if (world.clockAhead < before) note(world, 'clock set back');
}

/** What each tank has, by the ledger and by the model. @throws Error that names a tank that differs. */
export async function compareTanks({ store, model }: World): Promise<void> {
  const rows = await store.db.selectFrom('tanks_with_held').selectAll().execute();
  for (const { chain_id: chainId, contract, wallet, funded, settled, held } of rows) {
    const tank = { chainId, contract: contract as Address, wallet: wallet as Address };
    const own = model.operations.filter((one) => isAtTank(one, tank));
    const deposits = model.deposits.filter(({ tank: other }) => {
      return other.chainId === chainId && other.contract === contract && other.wallet === wallet;
    });
    const sum = (amounts: readonly bigint[]) => amounts.reduce((all, one) => all + one, 0n);
    const expected = {
      funded: sum(deposits.map(({ amount }) => amount)),
      settled: sum(own.map(({ landed }) => landed?.charge ?? 0n)),
      held: sum(own.map(({ state, amount }) => (state === 'live' ? amount : 0n))),
    };
    const stored = { funded: BigInt(funded), settled: BigInt(settled), held: BigInt(held) };
    for (const what of ['funded', 'settled', 'held'] as const)
      if (stored[what] !== expected[what])
        throw new Error(
          `${what} of tank ${wallet} of ${contract} on chain ${chainId}: ledger ${stored[what]}, model ${expected[what]}`,
        );
  }
}
