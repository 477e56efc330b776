import { type Address, zeroHash } from 'viem';
import type { SimulatedBlock, SimulatedChain } from '../chain/simulated-chain.ts';
import type { SimulatedEffect } from '../chain/simulated-transaction.ts';
import type { ObservedLedger } from '../service/observed-ledger.ts';
import { contractAt, contracts, tankName } from '../world/world.ts';
import { endInModel, type LedgerModel, type ModelHold, openModelTank, revertInModel } from './ledger-model.ts';
import { eventName, settleInModel } from './settle-in-model.ts';

/** A change of a contract's deposit that the journal must have once. */
export type ExpectedMovement = {
  readonly contract: Address;
  readonly kind: 'deposit' | 'withdrawal' | 'cost';
  readonly amount: bigint;
  readonly blockNumber: number;
  readonly txHash: string;
  readonly logIndex: number;
  /** Whether a tank explains it. */
  readonly ofTank: boolean;
  /** Its block is no longer on the chain. */
  readonly takenBack?: true;
};

/** What the model follows: the chain, and how far the ledger says that they have come. */
type Followed = { readonly chain: SimulatedChain; readonly observed: ObservedLedger };

/**
 * Takes into the model what the ledger says they have read since, in the transaction that was committed last: the chain's own
 * account of these blocks, not its logs. What they have rolled back is removed first.
 */
export function followInModel(
  model: LedgerModel,
  world: Followed,
  { maxConfirmed, isForked }: { readonly maxConfirmed: number; readonly isForked: boolean },
): readonly ExpectedMovement[] {
  const expected: ExpectedMovement[] = [];
  const hashes = world.observed.lastHashes();
  for (const { address: contract } of contracts) {
    const posted = model.posted.get(contract) ?? [];
    model.posted.set(contract, posted);
    const last = world.chain.find(hashes.get(contract) ?? '');
    if (last !== posted.at(-1)) {
      const fresh = blocksAfter(posted, last);
      const from = fresh[0]?.number ?? nextAfter(last);
      if (!isForked) checkRecovery(model, world, { contract, from });
      expected.push(...takeBackInModel(model, { contract, from }));
      if (fresh.length > 0 && nextAfter(last) > maxConfirmed + 1) {
        throw new Error(`Block ${last?.number} is in the ledger, but is not confirmed.`);
      }
      for (const block of fresh) expected.push(...takeBlock(model, world, { contract, block }));
    }
    releaseInModel(model, world, contract);
  }
  return expected;
}

/** The blocks up to the last one that are not among the posted ones, oldest first. */
function blocksAfter(posted: readonly SimulatedBlock[], last: SimulatedBlock | undefined): readonly SimulatedBlock[] {
  const fresh: SimulatedBlock[] = [];
  for (let block = last; block !== undefined && posted[block.number] !== block; block = block.parent) fresh.push(block);
  return fresh.reverse();
}

function nextAfter(last: SimulatedBlock | undefined): number {
  return last === undefined ? 0 : last.number + 1;
}

function takeBlock(
  model: LedgerModel,
  { observed }: Followed,
  { contract, block }: { readonly contract: Address; readonly block: SimulatedBlock },
): readonly ExpectedMovement[] {
  const expected: ExpectedMovement[] = [];
  model.posted.get(contract)?.push(block);
  expected.push(...openingAt(model, contract, block));
  for (const effect of effectsIn(model, contract, block)) {
    const movement = post(model, observed, effect, block.timestamp);
    if (movement !== undefined) expected.push({ ...movement, blockNumber: block.number });
  }
  return expected;
}

/** What a block did to a contract that is read of it. */
function effectsIn({ startBlock }: LedgerModel, contract: Address, block: SimulatedBlock): readonly SimulatedEffect[] {
  return block.number < startBlock ? [] : block.effects.filter(({ action }) => action.contract === contract);
}

/** What a contract had deposited before the first block that is read. */
function openingAt(
  { startBlock }: LedgerModel,
  contract: Address,
  { number: blockNumber, state }: SimulatedBlock,
): readonly ExpectedMovement[] {
  const amount = state.deposits.get(contract) ?? 0n;
  if (blockNumber !== startBlock - 1 || amount === 0n) return [];
  return [{ contract, kind: 'deposit', amount, blockNumber, txHash: zeroHash, logIndex: 0, ofTank: false }];
}

/** The ledger is only rolled back where some of what it had is not on the chain any more. */
function checkRecovery(
  model: LedgerModel,
  { chain }: Followed,
  { contract, from }: { readonly contract: Address; readonly from: number },
): void {
  const gone = model.posted.get(contract)?.slice(from) ?? [];
  if (gone.length > 0 && gone.every((block) => chain.blocks[block.number] === block)) {
    throw new Error(
      `The ledger of ${contract} was rolled back to block ${from - 1}, and all after it is on the chain.`,
    );
  }
}

/** Takes the blocks from this one on out of the model, newest first. */
function takeBackInModel(
  model: LedgerModel,
  { contract, from }: { readonly contract: Address; readonly from: number },
): readonly ExpectedMovement[] {
  const gone = model.posted.get(contract)?.splice(from) ?? [];
  const expected: ExpectedMovement[] = [];
  for (const block of gone.reverse()) {
    for (const effect of effectsIn(model, contract, block).toReversed()) {
      const movement = takeBackEffect(model, effect);
      if (movement !== undefined) expected.push({ ...movement, blockNumber: block.number, takenBack: true });
    }
    for (const opening of openingAt(model, contract, block)) expected.push({ ...opening, takenBack: true });
  }
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
      const ofTank = transaction.direct && !contractAt(contract).keepsBalances;
      if (ofTank) openModelTank(model, tankName(contract, transaction.from)).funded -= action.amount;
      return { ...at, kind: 'deposit', amount: action.amount, ofTank };
    }
    case 'withdrawal':
      return { ...at, kind: 'withdrawal', amount: action.amount, ofTank: false };
    case 'customer-deposit':
      openModelTank(model, tankName(contract, action.wallet)).funded -= action.amount;
      return undefined;
    case 'customer-withdrawal':
      openModelTank(model, tankName(contract, action.wallet)).funded += action.amount;
      return undefined;
    case 'operation': {
      const { charge, cost } = action;
      const endedBy = eventName(contract, transaction.hash, logIndex);
      const ended = model.holds.filter((hold) => hold.endedBy === endedBy);
      const settled = ended.find(({ state }) => state === 'settled');
      const payer = settled?.tank ?? (charge === undefined ? undefined : tankName(contract, charge.wallet));
      if (payer !== undefined) openModelTank(model, payer).settled -= charge?.amount ?? cost;
      for (const hold of ended) revertInModel(model, hold);
      const paid = model.payments.findIndex(
        ({ txHash, logIndex: at }) => txHash === transaction.hash && at === logIndex - 1,
      );
      if (paid >= 0) model.payments.splice(paid, 1);
      return { ...at, kind: 'cost', amount: cost, ofTank: payer !== undefined };
    }
  }
}

/** A hold may be released once the ledger has a block after its end. Answers whether one was. */
function releaseInModel(model: LedgerModel, { observed }: Followed, contract: Address): void {
  for (const hold of expiredHolds(model, contract)) {
    if (observed.hold(hold.number)?.state !== 'released') continue;
    endInModel(model, hold);
  }
}

/** The holds that end by the last block in the ledger. */
export function expiredHolds(model: LedgerModel, contract: Address): readonly ModelHold[] {
  const last = model.posted.get(contract)?.at(-1);
  if (last === undefined) return [];
  return model.holds.filter(
    (hold) => hold.state === 'live' && hold.validUntil < last.timestamp && hold.contract === contract,
  );
}

function post(
  model: LedgerModel,
  observed: ObservedLedger,
  { action, transaction, logIndex }: SimulatedEffect,
  timestamp: number,
): Omit<ExpectedMovement, 'blockNumber'> | undefined {
  const { contract } = action;
  const at = { contract, txHash: transaction.hash, logIndex };
  switch (action.do) {
    case 'deposit': {
      const ofTank = transaction.direct && !contractAt(contract).keepsBalances;
      if (ofTank) openModelTank(model, tankName(contract, transaction.from)).funded += action.amount;
      return { ...at, kind: 'deposit', amount: action.amount, ofTank };
    }
    case 'withdrawal':
      return { ...at, kind: 'withdrawal', amount: action.amount, ofTank: false };
    case 'customer-deposit':
      openModelTank(model, tankName(contract, action.wallet)).funded += action.amount;
      return undefined;
    case 'customer-withdrawal':
      openModelTank(model, tankName(contract, action.wallet)).funded -= action.amount;
      return undefined;
    case 'operation': {
      const ofTank = settleInModel(model, observed, action, { txHash: transaction.hash, logIndex, timestamp });
      return { ...at, kind: 'cost', amount: action.cost, ofTank };
    }
  }
}

/** The deposits of all contracts as the chain had them after the last block that the ledger has. */
export function depositsInLedger(model: LedgerModel): ReadonlyMap<Address, bigint> {
  return new Map(
    contracts.map(({ address }) => [address, model.posted.get(address)?.at(-1)?.state.deposits.get(address) ?? 0n]),
  );
}
