import { type Address, getAddress, type Hex, numberToHex, slice, zeroHash } from 'viem';
import type { Endpoint } from '../../../core/node/rpc/create-endpoint.ts';
import type { SeededRandom } from '../../support/arbitrary/seeded-random.ts';
import { entryPoints, tankName } from '../world/world.ts';
import { blocksOf, findLogs, type LogFilter } from './find-logs.ts';
import { refuseQuestion } from './refuse-question.ts';
import type { SimulatedBlock, SimulatedChain } from './simulated-chain.ts';
import type { SimulatedAction } from './simulated-transaction.ts';

/** `balanceOf(address)` of the EntryPoint and `getBalance(address)` of a contract with balances. */
const balanceOf = '0x70a08231';
const getBalance = '0xf8b2cb4f';
/** `getNonce(address,uint192)` of the EntryPoint. */
const getNonce = '0x35567e1a';

/** What is wrong with a node at this time. */
export type NodeFaults = {
  /** Answers before the node fails; undefined when it does not. */
  answersLeft: number | undefined;
  /**
   * Of a hundred questions for logs, how many it answers with only some of them; it says so to no one. What it leaves out of
   * an EntryPoint's is of the same blocks until it is asked for another block, and changes the deposit of each contract: no one
   * can tell that a deposit and a cost of the same amount are left out.
   */
  liesPercent: number;
  /** Blocks that `eth_getLogs` takes at once. */
  maxRange: number;
  /** Blocks that it is behind, and whether each answer is by another machine, that is as far behind at most. */
  lag: { readonly blocks: number; readonly eachOther: boolean };
  /** The blocks that it stands still at, which may be off the chain by now; undefined when it follows. */
  standsAt: readonly SimulatedBlock[] | undefined;
  /** Each answer takes a turn of the event loop, in which others go on. */
  slow: boolean;
  /** Done once before the answer of this many requests from now, when the chain is to move while it is read. */
  surprise: { after: number; happens(): void } | undefined;
};

export type SimulatedNode = Endpoint & { readonly faults: NodeFaults };

/** A node over a simulated chain, as faulty as it is told to be. */
export function createSimulatedNode(chain: SimulatedChain, random: SeededRandom): SimulatedNode {
  const faults = healthyNode();
  /** Every how many-th block is left out of the logs of an EntryPoint. */
  let leftOut: bigint | undefined | 'undecided' = 'undecided';

  /** The blocks as the machine that answers has them. */
  function seen(): readonly SimulatedBlock[] {
    const blocks = faults.standsAt ?? chain.blocks;
    const { blocks: most, eachOther } = faults.lag;
    const behind = eachOther ? random.below(most + 1) : most;
    return behind === 0 ? blocks : blocks.slice(0, Math.max(1, blocks.length - behind));
  }

  function answer(method: string, params: readonly unknown[]): unknown {
    const blocks = seen();
    switch (method) {
      case 'eth_getBlockByNumber':
        leftOut = 'undecided';
        return formatBlock(findBlock(blocks, params[0]));
      case 'eth_blockNumber':
        return numberToHex(blocks.at(-1)?.number ?? 0);
      case 'eth_getTransactionByHash':
        return findTransaction(blocks, params[0]);
      case 'eth_call':
        return callAt(findBlock(blocks, params[1]), params[0] as { to: Address; data: Hex });
      case 'eth_getLogs':
        return findLogsOrLie(blocks, params[0] as LogFilter);
      default:
        throw refuseQuestion(`The simulated node does not know ${method}.`);
    }
  }

  /** Of a block that it is asked for by its hash a node tells all, or that it does not have it. */
  function findLogsOrLie(blocks: readonly SimulatedBlock[], filter: LogFilter) {
    const logs = findLogs(blocks, filter, faults.maxRange);
    if (filter.blockHash !== undefined) return logs;
    if (!entryPoints.some((entryPoint) => entryPoint === filter.address)) return without(logs, pickLie());
    if (leftOut === 'undecided') {
      const lie = pickLie();
      leftOut = lie !== undefined && showsInDeposits(blocksOf(blocks, filter), lie) ? lie : undefined;
    }
    return without(logs, leftOut);
  }

  /** All of the logs are left out, or those of some blocks; undefined for the truth. */
  function pickLie(): bigint | undefined {
    return random.chance(faults.liesPercent) ? random.pick([1n, 2n, 3n]) : undefined;
  }

  return {
    faults,
    ask: async ({ method, params = [] }) => {
      if (faults.slow) await new Promise((resolve) => setImmediate(resolve));
      if (faults.answersLeft !== undefined) {
        if (faults.answersLeft === 0) throw new Error('The simulated node is out of order.');
        faults.answersLeft -= 1;
      }
      const { surprise } = faults;
      if (surprise !== undefined) {
        surprise.after -= 1;
        if (surprise.after < 0) {
          faults.surprise = undefined;
          surprise.happens();
        }
      }
      return answer(method, params as readonly unknown[]);
    },
  };
}

function without<T extends { readonly blockNumber: Hex }>(logs: readonly T[], lie: bigint | undefined): readonly T[] {
  return lie === undefined ? logs : logs.filter(({ blockNumber }) => BigInt(blockNumber) % lie !== 0n);
}

/** Whether each contract of which something is left out has another deposit than the rest comes to. */
function showsInDeposits(blocks: readonly SimulatedBlock[], lie: bigint): boolean {
  const changes = new Map<Address, bigint>();
  for (const { number, effects } of blocks) {
    if (BigInt(number) % lie !== 0n) continue;
    for (const { action } of effects) {
      changes.set(action.contract, (changes.get(action.contract) ?? 0n) + depositChange(action));
    }
  }
  return [...changes.values()].every((change) => change !== 0n);
}

function depositChange(action: SimulatedAction): bigint {
  switch (action.do) {
    case 'deposit':
      return action.amount;
    case 'withdrawal':
      return -action.amount;
    case 'operation':
      return -action.cost;
    default:
      return 0n;
  }
}

/** Nothing is wrong. */
export function healthyNode(): NodeFaults {
  return {
    answersLeft: undefined,
    liesPercent: 0,
    maxRange: 10_000,
    lag: { blocks: 0, eachOther: false },
    standsAt: undefined,
    slow: false,
    surprise: undefined,
  };
}

/** Whether a node tells all that is to be told, of the chain as it is. */
export function isHealthy({ answersLeft, liesPercent, lag, standsAt }: NodeFaults): boolean {
  return answersLeft === undefined && liesPercent === 0 && lag.blocks === 0 && standsAt === undefined;
}

function findBlock(blocks: readonly SimulatedBlock[], tag: unknown): SimulatedBlock | undefined {
  if (typeof tag !== 'string') throw new Error('A block is asked for by its number or as the latest.');
  return tag === 'latest' ? blocks.at(-1) : blocks[Number(tag)];
}

function formatBlock(block: SimulatedBlock | undefined) {
  if (block === undefined) return null;
  return {
    number: numberToHex(block.number),
    hash: block.hash,
    parentHash: block.parent?.hash ?? zeroHash,
    timestamp: numberToHex(block.timestamp),
    transactions: [],
  };
}

function findTransaction(blocks: readonly SimulatedBlock[], hash: unknown) {
  for (const block of blocks.toReversed()) {
    const found = block.effects.find(({ transaction }) => transaction.hash === hash)?.transaction;
    if (found === undefined) continue;
    const { from, to, value } = found;
    const location = { blockNumber: numberToHex(block.number), blockHash: block.hash, transactionIndex: '0x0' };
    return {
      ...location,
      hash,
      from,
      to,
      value: numberToHex(value),
      nonce: '0x0',
      gas: '0x0',
      type: '0x0',
      input: '0x',
    };
  }
  return null;
}

function callAt(block: SimulatedBlock | undefined, { to, data }: { to: Address; data: Hex }): Hex {
  if (block === undefined) throw refuseQuestion('header not found');
  const asked = getAddress(slice(data, 16, 36));
  switch (slice(data, 0, 4)) {
    case balanceOf:
      return numberToHex(block.state.deposits.get(asked) ?? 0n, { size: 32 });
    case getBalance:
      return numberToHex(block.state.balances.get(tankName(getAddress(to), asked)) ?? 0n, { size: 32 });
    case getNonce:
      // In these worlds no one uses up a nonce for anything else.
      return numberToHex(0, { size: 32 });
    default:
      throw refuseQuestion(`The simulated contracts do not know ${slice(data, 0, 4)}.`);
  }
}
