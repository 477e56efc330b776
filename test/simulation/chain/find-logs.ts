import { type Address, type Hex, hexToBigInt, numberToHex } from 'viem';
import { encodeLogs, type SimulatedLog } from './encode-logs.ts';
import { refuseQuestion } from './refuse-question.ts';
import type { SimulatedBlock } from './simulated-chain.ts';

/** What `eth_getLogs` is asked for. */
export type LogFilter = {
  readonly address: Address | readonly Address[];
  readonly topics: readonly (Hex | readonly Hex[] | null)[];
  readonly fromBlock?: Hex;
  readonly toBlock?: Hex;
  readonly blockHash?: Hex;
};

/** The logs in some blocks, in the form of `eth_getLogs`. Refuses a range that is as wide as `maxRange` or wider. */
export function findLogs(blocks: readonly SimulatedBlock[], filter: LogFilter, maxRange: number) {
  const [from, to] = rangeOf(blocks, filter);
  if (to - from >= maxRange) throw refuseQuestion('block range too wide');
  const addresses = [filter.address].flat().map((address) => address.toLowerCase());
  return blocksOf(blocks, filter).flatMap((block) =>
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

/** The blocks that are asked about. */
export function blocksOf(blocks: readonly SimulatedBlock[], filter: LogFilter): readonly SimulatedBlock[] {
  const [from, to] = rangeOf(blocks, filter);
  return blocks.slice(from, to + 1);
}

function rangeOf(blocks: readonly SimulatedBlock[], { blockHash, fromBlock = '0x0', toBlock = '0x0' }: LogFilter) {
  if (blockHash === undefined) return [Number(hexToBigInt(fromBlock)), Number(hexToBigInt(toBlock))] as const;
  const found = blocks.find(({ hash }) => hash === blockHash);
  if (found === undefined) throw refuseQuestion('unknown block');
  return [found.number, found.number] as const;
}

function hasTopics(log: SimulatedLog, wanted: LogFilter['topics']): boolean {
  return wanted.every((topic, index) => topic === null || [topic].flat().includes(log.topics[index] ?? '0x'));
}

const encoded = new WeakMap<SimulatedBlock, readonly SimulatedLog[]>();

/** The logs of a block, which are encoded once. */
function logsOf(block: SimulatedBlock): readonly SimulatedLog[] {
  const known = encoded.get(block);
  if (known !== undefined) return known;
  const logs = block.effects.flatMap(encodeLogs);
  encoded.set(block, logs);
  return logs;
}
