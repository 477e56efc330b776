import { type Hex, numberToHex, pad } from 'viem';
import type { SeededRandom } from '../../support/arbitrary/seeded-random.ts';
import { contractAt } from '../world/world.ts';
import { applyTransaction } from './apply-transaction.ts';
import type { BlockPrices } from './price-operation.ts';
import type {
  ChainFundsState,
  SimulatedEffect,
  SimulatedOperation,
  SimulatedTransaction,
} from './simulated-transaction.ts';

export type SimulatedBlock = {
  readonly number: number;
  readonly hash: Hex;
  /** None of the first one. */
  readonly parent: SimulatedBlock | undefined;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly prices: BlockPrices;
  readonly effects: readonly SimulatedEffect[];
  readonly state: ChainFundsState;
};

/** Transactions that wait; the oldest are forgotten beyond it. */
const maxPending = 40;

/** A chain in memory: what waits, the blocks, and their replacement by others. */
export type SimulatedChain = {
  readonly blocks: readonly SimulatedBlock[];
  head(): SimulatedBlock;
  send(transaction: SimulatedTransaction): void;
  /** A block with some of what waits, in any order, at this time or a second after its parent. */
  mine(timestamp: number): void;
  /**
   * Takes up to so many blocks away, none that ever had so many on top of it. Most of their transactions wait again; the
   * others are lost.
   */
  drop(blocks: number): void;
  /** A block of this hash, on the chain or off it by now. */
  find(hash: string): SimulatedBlock | undefined;
  /** The highest block there ever was. */
  highest(): number;
  isUsed(operation: Pick<SimulatedOperation, 'contract' | 'sender' | 'nonce'>): boolean;
};

export function createSimulatedChain(random: SeededRandom, startTime: number, gasPrice: bigint): SimulatedChain {
  const blocks: SimulatedBlock[] = [];
  let pending: SimulatedTransaction[] = [];
  const everMined = new Map<string, SimulatedBlock>();
  const usedNonces = new Set<string>();
  let hashes = 0;
  let highest = 0;
  const firstPrices = { baseFee: 2n * gasPrice, tokensPerGas: 50n };
  const genesis = { deposits: new Map(), balances: new Map() };
  append({
    number: 0,
    hash: nextHash(),
    parent: undefined,
    timestamp: startTime,
    prices: firstPrices,
    effects: [],
    state: genesis,
  });

  function append(block: SimulatedBlock): void {
    blocks.push(block);
    everMined.set(block.hash, block);
    highest = Math.max(highest, block.number);
  }

  function nextHash(): Hex {
    hashes += 1;
    return pad(numberToHex(hashes), { size: 32 });
  }

  function head(): SimulatedBlock {
    const last = blocks.at(-1);
    if (last === undefined) throw new Error('The chain has no block.');
    return last;
  }

  const isUsed: SimulatedChain['isUsed'] = (operation) => usedNonces.has(nonceName(operation));

  return {
    blocks,
    head,
    isUsed,
    send: (transaction) => {
      pending.push(transaction);
      pending = pending.slice(-maxPending);
    },
    mine: (wished) => {
      const parent = head();
      const timestamp = Math.max(wished, parent.timestamp + 1);
      const effects: SimulatedEffect[] = [];
      const prices = nextPrices(random, parent.prices, gasPrice);
      let state = parent.state;
      const left: SimulatedTransaction[] = [];
      let firstLog = 0;
      for (const transaction of random.shuffle(pending)) {
        const done = random.chance(75)
          ? applyTransaction(state, transaction, { firstLog, timestamp, prices, isUsed })
          : undefined;
        if (done === undefined) {
          left.push(transaction);
          continue;
        }
        state = done.state;
        effects.push(...done.effects);
        firstLog = (effects.at(-1)?.logIndex ?? -1) + 1;
        for (const { action } of done.effects) if (action.do === 'operation') usedNonces.add(nonceName(action));
      }
      pending = left;
      append({ number: parent.number + 1, hash: nextHash(), parent, timestamp, prices, effects, state });
    },
    find: (hash) => everMined.get(hash),
    highest: () => highest,
    drop: (count) => {
      const lowest = Math.max(1, highest - count + 1);
      for (const { effects } of blocks.splice(lowest)) {
        for (const { action } of effects) if (action.do === 'operation') usedNonces.delete(nonceName(action));
        for (const transaction of new Set(effects.map((effect) => effect.transaction))) {
          if (random.chance(85)) pending.push(transaction);
        }
      }
    },
  };
}

/** The base fee and the token's price move from block to block: mostly a little, now and then far. */
function nextPrices(random: SeededRandom, { baseFee, tokensPerGas }: BlockPrices, gasPrice: bigint): BlockPrices {
  if (random.chance(40)) return { baseFee, tokensPerGas };
  const step = random.chance(85) ? random.between(-1, 1) : random.between(-4, 4);
  const steps = Math.min(8, Math.max(1, Number(baseFee / gasPrice) + step));
  return { baseFee: BigInt(steps) * gasPrice, tokensPerGas: BigInt(random.between(1, 100)) };
}

/** An account's nonces are counted by each EntryPoint for itself. */
function nonceName({ contract, sender, nonce }: Pick<SimulatedOperation, 'contract' | 'sender' | 'nonce'>): string {
  return `${contractAt(contract).entryPoint}:${sender}:${nonce}`;
}
