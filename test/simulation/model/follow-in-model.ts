import { type Address, type Hex, zeroAddress } from 'viem';
import type { SimulatedChain } from '../chain/simulated-chain.ts';
import type { SimulatedEffect, SimulatedOperation } from '../chain/simulated-transaction.ts';
import type { ObservedBooks } from '../service/observed-books.ts';
import { contractAt, contracts, tankName } from '../world/world.ts';
import { endInModel, heldIn, type LedgerModel, type ModelHold, openModelTank, reopenInModel } from './ledger-model.ts';

/** A change of a contract's deposit that the journal must have once. */
export type ExpectedMovement = {
  readonly contract: Address;
  readonly kind: 'deposit' | 'withdrawal' | 'cost';
  readonly amount: bigint;
  readonly blockNumber: number;
  readonly txHash: string;
  readonly logIndex: number;
  /** Whether a tank explains it. */
  readonly booked: boolean;
  /** Its block is no longer on the chain. */
  readonly takenBack?: true;
};

/** What the service has said of its books. */
export type Progress = {
  /** The newest block that was confirmed when a look began that succeeded: the books have it. */
  readonly min: number;
  /** No newer one was ever confirmed. */
  readonly max: number;
  /** What had expired was released, if there was something new in the books. */
  readonly released: boolean;
};

/** Takes into the model what the books say they have read: the chain's own account of these blocks, not its logs. */
export function followInModel(
  model: LedgerModel,
  world: { readonly chain: SimulatedChain; readonly observed: ObservedBooks },
  { min, max, released }: Progress,
): readonly ExpectedMovement[] {
  const expected: ExpectedMovement[] = [];
  const read = world.observed.nextBlocks();
  const reversals = world.observed.reversalsAfter(model.reversalsSeen);
  model.reversalsSeen = reversals.at(-1)?.movement_id ?? model.reversalsSeen;
  let moved = false;
  for (const { address: contract } of contracts) {
    const wentBackTo = reversals
      .filter((row) => row.contract === contract)
      .reduce((first, row) => Math.min(first, row.block_number), Number.POSITIVE_INFINITY);
    const next = read.get(contract) ?? 0;
    const back = takeBackInModel(model, world, { contract, wentBackTo, next });
    expected.push(...back);
    const before = model.nextBlocks.get(contract) ?? 0;
    if (next < before) throw new Error(`The watch of ${contract} went back from block ${before} to ${next}.`);
    if (next > before && next > max + 1) throw new Error(`Block ${next - 1} is in the books, which is not confirmed.`);
    if (next < min + 1) throw new Error(`The books lack block ${next} of ${contract}.`);
    const posted = model.posted.get(contract) ?? [];
    model.posted.set(contract, posted);
    for (const block of world.chain.blocks.slice(before, next)) {
      posted.push(block);
      for (const effect of block.effects) {
        if (effect.action.contract !== contract) continue;
        const movement = post(model, world.observed, effect, block.timestamp);
        if (movement !== undefined) expected.push({ ...movement, blockNumber: block.number });
      }
    }
    model.nextBlocks.set(contract, next);
    if (next > before || back.length > 0) moved = true;
    if (releaseInModel(model, world, { contract, mustRelease: released && next > before })) moved = true;
  }
  if (moved) balanceShortfalls(model);
  return expected;
}

/**
 * Takes out of the model what the books took back: all from the first block that is not on the chain any more, once they
 * have gone back, and whatever else they say they have reversed.
 */
function takeBackInModel(
  model: LedgerModel,
  { chain, observed }: { readonly chain: SimulatedChain; readonly observed: ObservedBooks },
  { contract, wentBackTo, next }: { readonly contract: Address; readonly wentBackTo: number; readonly next: number },
): readonly ExpectedMovement[] {
  const posted = model.posted.get(contract) ?? [];
  const orphan = posted.find((block) => chain.blocks[block.number] !== block)?.number;
  const isOnChain = observed.lastHashes().get(contract) === chain.blocks[next - 1]?.hash;
  const hasGoneBack = wentBackTo < Number.POSITIVE_INFINITY || next < posted.length;
  if (!hasGoneBack && !(orphan !== undefined && isOnChain)) return [];
  const from = Math.min(orphan ?? Number.POSITIVE_INFINITY, wentBackTo, next);
  const expected: ExpectedMovement[] = [];
  for (const block of posted.splice(from).reverse()) {
    for (const effect of block.effects.toReversed()) {
      if (effect.action.contract !== contract) continue;
      const movement = takeBackEffect(model, effect);
      if (movement !== undefined) expected.push({ ...movement, blockNumber: block.number, takenBack: true });
    }
  }
  model.nextBlocks.set(contract, posted.length);
  return expected;
}

/** Takes one event out of the model. */
function takeBackEffect(
  model: LedgerModel,
  { action, transaction, logIndex }: SimulatedEffect,
): Omit<ExpectedMovement, 'blockNumber'> | undefined {
  const { contract } = action;
  const at = { contract, txHash: transaction.hash, logIndex };
  switch (action.do) {
    case 'deposit': {
      const booked = transaction.direct && !contractAt(contract).keepsBalances;
      if (booked) openModelTank(model, tankName(contract, transaction.from)).real -= action.amount;
      return { ...at, kind: 'deposit', amount: action.amount, booked };
    }
    case 'withdrawal':
      return { ...at, kind: 'withdrawal', amount: action.amount, booked: false };
    case 'customer-deposit':
      openModelTank(model, tankName(contract, action.wallet)).real -= action.amount;
      return undefined;
    case 'customer-withdrawal':
      openModelTank(model, tankName(contract, action.wallet)).real += action.amount;
      return undefined;
    case 'operation': {
      const { charge, cost } = action;
      const endedBy = eventName(contract, transaction.hash, logIndex);
      const ended = model.holds.filter((hold) => hold.endedBy === endedBy);
      const settled = ended.find(({ state }) => state === 'settled');
      const payer = settled?.tank ?? (charge === undefined ? undefined : tankName(contract, charge.wallet));
      if (payer !== undefined) openModelTank(model, payer).settled -= charge?.amount ?? cost;
      for (const hold of ended) reopenInModel(model, hold);
      const paid = model.payments.findIndex(
        ({ txHash, logIndex: at }) => txHash === transaction.hash && at === logIndex - 1,
      );
      if (paid >= 0) model.payments.splice(paid, 1);
      return { ...at, kind: 'cost', amount: cost, booked: payer !== undefined };
    }
  }
}

/** One text for an event of a contract. */
function eventName(contract: Address, txHash: Hex, logIndex: number): string {
  return `${contract} ${txHash} ${logIndex}`;
}

/** A hold may be released once the books have a block after its end. Answers whether one was. */
function releaseInModel(
  model: LedgerModel,
  { observed }: { readonly observed: ObservedBooks },
  { contract, mustRelease }: { readonly contract: Address; readonly mustRelease: boolean },
): boolean {
  const last = model.posted.get(contract)?.at(-1);
  if (last === undefined) return false;
  let released = false;
  for (const hold of model.holds) {
    if (hold.state !== 'live' || hold.validUntil >= last.timestamp) continue;
    if (hold.contract !== contract) continue;
    if (!mustRelease && observed.hold(hold.number)?.state !== 'released') continue;
    endInModel(model, hold);
    released = true;
  }
  return released;
}

function post(
  model: LedgerModel,
  observed: ObservedBooks,
  { action, transaction, logIndex }: SimulatedEffect,
  timestamp: number,
): Omit<ExpectedMovement, 'blockNumber'> | undefined {
  const { contract } = action;
  const at = { contract, txHash: transaction.hash, logIndex };
  switch (action.do) {
    case 'deposit': {
      const booked = transaction.direct && !contractAt(contract).keepsBalances;
      if (booked) openModelTank(model, tankName(contract, transaction.from)).real += action.amount;
      return { ...at, kind: 'deposit', amount: action.amount, booked };
    }
    case 'withdrawal':
      return { ...at, kind: 'withdrawal', amount: action.amount, booked: false };
    case 'customer-deposit':
      openModelTank(model, tankName(contract, action.wallet)).real += action.amount;
      return undefined;
    case 'customer-withdrawal':
      openModelTank(model, tankName(contract, action.wallet)).real -= action.amount;
      return undefined;
    case 'operation': {
      const booked = settle(model, observed, action, { txHash: transaction.hash, logIndex, timestamp });
      return { ...at, kind: 'cost', amount: action.cost, booked };
    }
  }
}

/** Settles an operation in the model. False when no tank pays for it. */
function settle(
  model: LedgerModel,
  observed: ObservedBooks,
  operation: SimulatedOperation,
  { txHash, logIndex, timestamp }: { readonly txHash: Hex; readonly logIndex: number; readonly timestamp: number },
): boolean {
  const { contract, sender, nonce, charge } = operation;
  const atSlot = model.holds.filter(
    (hold) => hold.state === 'live' && hold.contract === contract && hold.sender === sender && hold.nonce === nonce,
  );
  const possible =
    charge === undefined ? atSlot : atSlot.filter(({ tank }) => tank === tankName(contract, charge.wallet));
  const paid = charge?.amount ?? operation.cost;
  const chosen = observed
    .landedHolds(txHash)
    .map(({ hold_id }) => atSlot.find(({ number }) => number === hold_id))
    .find((hold) => hold !== undefined);
  checkChoice(chosen, possible, { paid, timestamp, signed: observed.signedHold(operation.hash) });
  for (const hold of atSlot) {
    const landed = hold === chosen ? { charge: paid, success: operation.success, txHash } : undefined;
    endInModel(model, hold, landed, eventName(contract, txHash, logIndex));
  }
  const { tokens } = operation;
  if (tokens !== undefined && tokens.token !== zeroAddress) {
    model.payments.push({ txHash, logIndex: logIndex - 1, ...tokens, hold: chosen?.number ?? null });
  }
  const payer = chosen?.tank ?? (charge === undefined ? undefined : tankName(contract, charge.wallet));
  if (payer === undefined) return false;
  openModelTank(model, payer).settled += paid;
  return true;
}

/**
 * Which of several holds of a nonce an operation belongs to is only known when its signature was recorded. Else the books
 * may choose, but none that is set aside for less than was paid as long as there is another.
 */
function checkChoice(
  chosen: ModelHold | undefined,
  possible: readonly ModelHold[],
  {
    paid,
    timestamp,
    signed,
  }: { readonly paid: bigint; readonly timestamp: number; readonly signed: number | undefined },
): void {
  if (chosen === undefined) {
    if (possible.some(({ validUntil }) => validUntil >= timestamp)) {
      throw new Error('An operation landed within the time of a live hold, and the books did not settle that.');
    }
    return;
  }
  if (!possible.includes(chosen)) throw new Error(`Hold ${chosen.number} was settled with an operation not its own.`);
  const own = possible.find(({ number }) => number === signed);
  if (own !== undefined && own !== chosen) {
    throw new Error(`Hold ${chosen.number} was settled, and ${own.number} was on record for the operation.`);
  }
  if (own === undefined && chosen.amount < paid && possible.some(({ amount }) => amount >= paid)) {
    throw new Error(`Hold ${chosen.number} was charged more than it had, though another covers it.`);
  }
}

/** What is held although the chain took it stands in the tank in name, and no more than that. */
function balanceShortfalls(model: LedgerModel): void {
  for (const [name, tank] of model.tanks) {
    const missing = tank.settled + heldIn(model, { tank: name }) - tank.real;
    tank.shortfall = missing > 0n ? missing : 0n;
  }
}

/** The deposits of all contracts as the chain had them after the last block that the books have. */
export function depositsInBooks(model: LedgerModel): ReadonlyMap<Address, bigint> {
  return new Map(
    contracts.map(({ address }) => [address, model.posted.get(address)?.at(-1)?.state.deposits.get(address) ?? 0n]),
  );
}
