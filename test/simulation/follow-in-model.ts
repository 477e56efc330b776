import { type Address, type Hex, zeroAddress } from 'viem';
import { endInModel, heldIn, type LedgerModel, type ModelHold, openModelTank } from './ledger-model.ts';
import type { ObservedBooks } from './observed-books.ts';
import type { SimulatedChain } from './simulated-chain.ts';
import type { SimulatedEffect, SimulatedOperation } from './simulated-transaction.ts';
import { contractAt, contracts, tankName } from './world.ts';

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
  let moved = false;
  for (const { address: contract } of contracts) {
    const before = model.nextBlocks.get(contract) ?? 0;
    const next = read.get(contract) ?? 0;
    if (next < before) throw new Error(`The watch of ${contract} went back from block ${before} to ${next}.`);
    if (next > before && next > max + 1) throw new Error(`Block ${next - 1} is in the books, which is not confirmed.`);
    if (next < min + 1) throw new Error(`The books lack block ${next} of ${contract}.`);
    for (const block of world.chain.blocks.slice(before, next)) {
      for (const effect of block.effects) {
        if (effect.action.contract !== contract) continue;
        const movement = post(model, world.observed, effect, block.timestamp);
        if (movement !== undefined) expected.push({ ...movement, blockNumber: block.number });
      }
    }
    model.nextBlocks.set(contract, next);
    if (next > before) moved = true;
    if (releaseInModel(model, world, { contract, mustRelease: released && next > before })) moved = true;
  }
  if (moved) balanceShortfalls(model);
  return expected;
}

/** A hold may be released once the books have a block after its end. Answers whether one was. */
function releaseInModel(
  model: LedgerModel,
  { chain, observed }: { readonly chain: SimulatedChain; readonly observed: ObservedBooks },
  { contract, mustRelease }: { readonly contract: Address; readonly mustRelease: boolean },
): boolean {
  const last = chain.blocks[(model.nextBlocks.get(contract) ?? 0) - 1];
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
    endInModel(model, hold, hold === chosen ? { charge: paid, success: operation.success, txHash } : undefined);
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

/** The deposits of all contracts as the chain has them after the last block that the books have. */
export function depositsInBooks(model: LedgerModel, chain: SimulatedChain): ReadonlyMap<Address, bigint> {
  return new Map(
    contracts.map(({ address }) => {
      const last = chain.blocks[(model.nextBlocks.get(address) ?? 0) - 1];
      return [address, last?.state.deposits.get(address) ?? 0n];
    }),
  );
}
