import { type Address, createPublicClient, custom, getAddress, type Hex, hexToBigInt, numberToHex, slice } from 'viem';
import type { ChainClient } from '../../../core/node/chain-client.ts';
import type { SeededRandom } from '../world/seeded-random.ts';
import { tankName } from '../world/world.ts';
import { encodeLogs, type SimulatedLog } from './encode-logs.ts';
import type { SimulatedBlock, SimulatedChain } from './simulated-chain.ts';

/** `balanceOf(address)` of the EntryPoint and `getBalance(address)` of a contract with balances. */
const balanceOf = '0x70a08231';
const getBalance = '0xf8b2cb4f';
/** `getNonce(address,uint192)` of the EntryPoint. */
const getNonce = '0x35567e1a';

/** What is wrong with the node at this time. */
export type NodeFaults = {
  /** Answers before the node fails; undefined when it does not. */
  answersLeft: number | undefined;
  /** Of a hundred questions for logs, how many it answers with only some of them; it says so to nobody. */
  liesPercent: number;
  /** Blocks that `eth_getLogs` takes at once. */
  maxRange: number;
  /** Each answer takes a turn of the event loop, in which others go on. */
  slow: boolean;
  /** Done once before the answer of this many requests from now, when the chain is to move while it is read. */
  surprise: { after: number; happens(): void } | undefined;
};

type LogFilter = {
  readonly address: Address | readonly Address[];
  readonly topics: readonly (Hex | readonly Hex[] | null)[];
  readonly fromBlock?: Hex;
  readonly toBlock?: Hex;
  readonly blockHash?: Hex;
};

/** A node over a simulated chain behind viem's client, as faulty as it is told to be. */
export function createSimulatedNode(
  chain: SimulatedChain,
  random: SeededRandom,
): { client: ChainClient; faults: NodeFaults } {
  const faults: NodeFaults = {
    answersLeft: undefined,
    liesPercent: 0,
    maxRange: 10_000,
    slow: false,
    surprise: undefined,
  };
  const logsOf = createLogCache();

  function answer(method: string, params: readonly unknown[]): unknown {
    switch (method) {
      case 'eth_getBlockByNumber':
        return formatBlock(findBlock(chain, params[0]));
      case 'eth_getTransactionByHash':
        return findTransaction(chain, params[0]);
      case 'eth_call':
        return callAt(findBlock(chain, params[1]), params[0] as { to: Address; data: Hex });
      case 'eth_getLogs':
        return findLogsOrLie(params[0] as LogFilter);
      default:
        throw new Error(`The simulated node does not know ${method}.`);
    }
  }

  /** Of a block that it is asked for by its hash a node tells all, or that it does not have it. */
  function findLogsOrLie(filter: LogFilter) {
    const logs = findLogs(chain, filter, { faults, logsOf });
    return filter.blockHash === undefined ? withLies(logs) : logs;
  }

  /** Leaves out all of the logs, or those of some blocks. */
  function withLies<T extends { readonly blockNumber: Hex }>(logs: readonly T[]): readonly T[] {
    if (!random.chance(faults.liesPercent)) return logs;
    const modulus = random.pick([1n, 2n, 3n]);
    return logs.filter(({ blockNumber }) => BigInt(blockNumber) % modulus !== 0n);
  }

  async function request({ method, params = [] }: { method: string; params?: readonly unknown[] }): Promise<unknown> {
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
    return answer(method, params);
  }

  const client = createPublicClient({ transport: custom({ request }, { retryCount: 0 }), cacheTime: 0 });
  return { client, faults };
}

function createLogCache(): (block: SimulatedBlock) => readonly SimulatedLog[] {
  const cache = new WeakMap<SimulatedBlock, readonly SimulatedLog[]>();
  return (block) => {
    const known = cache.get(block);
    if (known !== undefined) return known;
    const logs = block.effects.flatMap(encodeLogs);
    cache.set(block, logs);
    return logs;
  };
}

function findBlock(chain: SimulatedChain, tag: unknown): SimulatedBlock | undefined {
  if (typeof tag !== 'string') throw new Error('A block is asked for by its number or as the latest.');
  return tag === 'latest' ? chain.head() : chain.blocks[Number(tag)];
}

function formatBlock(block: SimulatedBlock | undefined) {
  if (block === undefined) return null;
  return {
    number: numberToHex(block.number),
    hash: block.hash,
    timestamp: numberToHex(block.timestamp),
    transactions: [],
  };
}

function findTransaction(chain: SimulatedChain, hash: unknown) {
  for (const block of chain.blocks.toReversed()) {
    const found = block.effects.find(({ transaction }) => transaction.hash === hash)?.transaction;
    if (found === undefined) continue;
    const { from, to, value } = found;
    const place = { blockNumber: numberToHex(block.number), blockHash: block.hash, transactionIndex: '0x0' };
    return { ...place, hash, from, to, value: numberToHex(value), nonce: '0x0', gas: '0x0', type: '0x0', input: '0x' };
  }
  return null;
}

function callAt(block: SimulatedBlock | undefined, { to, data }: { to: Address; data: Hex }): Hex {
  if (block === undefined) throw new Error('header not found');
  const asked = getAddress(slice(data, 16, 36));
  switch (slice(data, 0, 4)) {
    case balanceOf:
      return numberToHex(block.state.deposits.get(asked) ?? 0n, { size: 32 });
    case getBalance:
      return numberToHex(block.state.balances.get(tankName(getAddress(to), asked)) ?? 0n, { size: 32 });
    case getNonce:
      // In these worlds nobody uses up a nonce for anything else.
      return numberToHex(0, { size: 32 });
    default:
      throw new Error(`The simulated contracts do not know ${slice(data, 0, 4)}.`);
  }
}

function findLogs(
  chain: SimulatedChain,
  filter: LogFilter,
  { faults, logsOf }: { faults: NodeFaults; logsOf(block: SimulatedBlock): readonly SimulatedLog[] },
) {
  const [from, to] = rangeOf(chain, filter);
  if (to - from >= faults.maxRange) throw new Error('block range too wide');
  const addresses = [filter.address].flat().map((address) => address.toLowerCase());
  return chain.blocks.slice(from, to + 1).flatMap((block) =>
    logsOf(block)
      .filter((log) => addresses.includes(log.address.toLowerCase()) && hasTopics(log, filter.topics))
      .map((log) => ({
        ...log,
        blockNumber: numberToHex(block.number),
        blockHash: block.hash,
        transactionIndex: '0x0',
        removed: false,
      })),
  );
}

function rangeOf(chain: SimulatedChain, { blockHash, fromBlock = '0x0', toBlock = '0x0' }: LogFilter) {
  if (blockHash === undefined) return [Number(hexToBigInt(fromBlock)), Number(hexToBigInt(toBlock))] as const;
  const found = chain.blocks.find(({ hash }) => hash === blockHash);
  if (found === undefined) throw new Error('unknown block');
  return [found.number, found.number] as const;
}

function hasTopics(log: SimulatedLog, wanted: LogFilter['topics']): boolean {
  return wanted.every((topic, index) => topic === null || [topic].flat().includes(log.topics[index] ?? '0x'));
}
