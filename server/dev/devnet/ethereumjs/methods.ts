import { createTxFromRLP, type TypedTransaction } from '@ethereumjs/tx';
import { createAddressFromString } from '@ethereumjs/util';
import { type Address, bytesToHex, type Hex, hexToBytes, keccak256, numberToHex, pad, stringToHex } from 'viem';
import {
  acceptTransaction,
  type Chain,
  ChainError,
  type ChainSettings,
  describeTransaction,
  dropBlocks,
  latestBlock,
  type MinedBlock,
  minePool,
  nextPosition,
} from './chain.ts';
import {
  estimateGas,
  returnedBy,
  type SentCall,
  type SentOverrides,
  simulate,
  unsignedTransaction,
} from './simulate.ts';

type BlockTag =
  | Hex
  | 'latest'
  | 'pending'
  | 'earliest'
  | 'safe'
  | 'finalized'
  | { readonly blockHash?: Hex; readonly blockNumber?: Hex };

type Method = (chain: Chain, ...params: never[]) => unknown;

const tip = 1_000_000_000n;
/** Below the cap of a transaction (EIP-7825). */
const usualGas = 16_000_000n;
/** Blocks until one is safe, and until it is final. */
const [safeDepth, finalDepth] = [32, 64];

function blockOf(chain: Chain, tag: BlockTag | undefined = 'latest'): MinedBlock | undefined {
  const { blocks } = chain;
  if (typeof tag === 'object') {
    const { blockHash, blockNumber } = tag;
    return blockHash === undefined ? blocks[Number(blockNumber)] : blocks.find(({ hash }) => hash === blockHash);
  }
  const last = blocks.length - 1;
  if (tag === 'latest' || tag === 'pending') return blocks[last];
  if (tag === 'earliest') return blocks[0];
  if (tag === 'safe') return blocks[Math.max(0, last - safeDepth)];
  if (tag === 'finalized') return blocks[Math.max(0, last - finalDepth)];
  return blocks[Number(tag)];
}

/** Reads the state after a block. */
async function stateAfter<Read>(
  chain: Chain,
  tag: BlockTag | undefined,
  read: (block: MinedBlock) => Promise<Read>,
): Promise<Read> {
  const block = blockOf(chain, tag);
  if (block === undefined) throw new ChainError('unknown block');
  const next = chain.blocks[Number(block.number) + 1];
  return next === undefined ? read(block) : chain.machine.state.at(next.before, () => read(block));
}

const addressOf = (text: Address) => createAddressFromString(text.toLowerCase());

function withTransactions({ mined }: Chain, block: MinedBlock | undefined, isFull: boolean | undefined) {
  if (block === undefined) return null;
  if (isFull !== true) return block.shown;
  return { ...block.shown, transactions: block.transactions.map((hash) => mined.get(hash)?.transaction) };
}

/** What clients ask any node. */
const nodeMethods: Readonly<Record<string, Method>> = {
  web3_clientVersion: () => 'EthereumJS/amsterdam',
  net_version: ({ chainId }) => String(chainId),
  eth_chainId: ({ chainId }) => numberToHex(chainId),
  eth_syncing: () => false,
  eth_blockNumber: (chain) => numberToHex(latestBlock(chain).number),
  eth_gasPrice: (chain) => numberToHex(latestBlock(chain).baseFeePerGas + tip),
  eth_maxPriorityFeePerGas: () => numberToHex(tip),
  eth_feeHistory: (chain, count: Hex, newest: BlockTag, percentiles: readonly number[] = []) => {
    const last = Number(blockOf(chain, newest)?.number ?? 0n);
    const first = Math.max(0, last - Number(count) + 1);
    const range = chain.blocks.slice(first, last + 1);
    const next = chain.blocks[last + 1]?.baseFeePerGas ?? nextPosition(chain).baseFeePerGas;
    return {
      oldestBlock: numberToHex(first),
      baseFeePerGas: [...range.map(({ baseFeePerGas }) => baseFeePerGas), next].map((fee) => numberToHex(fee)),
      gasUsedRatio: range.map(({ shown }) => Number(shown.gasUsed) / Number(chain.gasLimit)),
      reward: range.map(() => percentiles.map(() => numberToHex(tip))),
    };
  },
  eth_getBlockByNumber: (chain, tag: BlockTag, isFull?: boolean) =>
    withTransactions(chain, blockOf(chain, tag), isFull),
  eth_getBlockByHash: (chain, blockHash: Hex, isFull?: boolean) =>
    withTransactions(chain, blockOf(chain, { blockHash }), isFull),
  eth_getBalance: (chain, account: Address, tag?: BlockTag) =>
    stateAfter(chain, tag, async () => {
      const found = await chain.machine.state.getAccount(addressOf(account));
      return numberToHex(found?.balance ?? 0n);
    }),
  eth_getTransactionCount: (chain, account: Address, tag?: BlockTag) =>
    stateAfter(chain, tag, async () => {
      const found = await chain.machine.state.getAccount(addressOf(account));
      const waiting = chain.pool.filter(({ from }) => from === account.toLowerCase()).length;
      return numberToHex((found?.nonce ?? 0n) + (tag === 'pending' ? BigInt(waiting) : 0n));
    }),
  eth_getCode: (chain, account: Address, tag?: BlockTag) =>
    stateAfter(chain, tag, async () => bytesToHex(await chain.machine.state.getCode(addressOf(account)))),
  eth_getStorageAt: (chain, account: Address, slot: Hex, tag?: BlockTag) =>
    stateAfter(chain, tag, async () => {
      const value = await chain.machine.state.getStorage(addressOf(account), slotOf(slot));
      return pad(value.length === 0 ? '0x00' : bytesToHex(value), { size: 32 });
    }),
  eth_call: (chain, call: SentCall, tag?: BlockTag, overrides?: SentOverrides) =>
    stateAfter(chain, tag, async (block) => returnedBy(await simulate(chain, call, { block, overrides }))),
  eth_estimateGas: (chain, call: SentCall, tag?: BlockTag, overrides?: SentOverrides) =>
    stateAfter(chain, tag, async (block) => numberToHex(await estimateGas(chain, call, { block, overrides }))),
  eth_getTransactionByHash: ({ chainId, mined, pool }, hash: Hex) => {
    const found = mined.get(hash)?.transaction;
    const waiting = pool.find((sent) => sent.hash === hash);
    if (found !== undefined || waiting === undefined) return found ?? null;
    return { ...describeTransaction(chainId, waiting), blockHash: null, blockNumber: null, transactionIndex: null };
  },
  eth_getTransactionReceipt: ({ mined }, hash: Hex) => mined.get(hash)?.receipt ?? null,
  eth_getBlockReceipts: (chain, tag: BlockTag) => {
    const isHash = typeof tag === 'string' && tag.length === 66;
    const block = blockOf(chain, isHash ? { blockHash: tag as Hex } : tag);
    return block === undefined ? null : block.transactions.map((hash) => chain.mined.get(hash)?.receipt);
  },
  eth_getLogs: findLogs,
};

const slotOf = (slot: Hex) => hexToBytes(pad(slot, { size: 32 }));

type LogFilter = {
  readonly fromBlock?: BlockTag;
  readonly toBlock?: BlockTag;
  readonly blockHash?: Hex;
  readonly address?: Address | readonly Address[] | null;
  readonly topics?: readonly (Hex | readonly Hex[] | null)[];
};

function findLogs(chain: Chain, { fromBlock, toBlock, blockHash, address, topics = [] }: LogFilter) {
  const { blocks } = chain;
  const first = Number(blockOf(chain, fromBlock)?.number ?? blocks.length);
  const last = Number(blockOf(chain, toBlock)?.number ?? blocks.length - 1);
  const range =
    blockHash === undefined ? blocks.slice(first, last + 1) : blocks.filter(({ hash }) => hash === blockHash);
  const addresses = address === undefined || address === null ? undefined : [address].flat();
  return range
    .flatMap(({ logs }) => logs)
    .filter((log) => {
      const own = log.topics as readonly Hex[];
      const isFrom = addresses === undefined || addresses.some((one) => one.toLowerCase() === log.address);
      return isFrom && topics.every((topic, at) => topic === null || hasTopic(topic, own[at]));
    });
}

function hasTopic(wanted: Hex | readonly Hex[], found: Hex | undefined): boolean {
  return [wanted].flat().some((topic) => topic.toLowerCase() === found);
}

/** What sends transactions. */
const sendingMethods: Readonly<Record<string, Method>> = {
  eth_sendRawTransaction: (chain, raw: Hex) => {
    const { txOptions } = chain.machine;
    const tx = createTxFromRLP(hexToBytes(raw), { ...txOptions, allowUnlimitedInitCodeSize: true }) as TypedTransaction;
    const from = tx.getSenderAddress().toString();
    return acceptTransaction(chain, { tx, from, hash: bytesToHex(tx.hash()), isImpersonated: false });
  },
  eth_sendTransaction: async (chain, call: SentCall & { readonly from: Address }) => {
    const from = call.from.toLowerCase() as Address;
    const known = await chain.machine.state.getAccount(addressOf(from));
    const nonce = call.nonce === undefined ? (known?.nonce ?? 0n) : BigInt(call.nonce);
    const maxFeePerGas = BigInt(call.maxFeePerGas ?? call.gasPrice ?? latestBlock(chain).baseFeePerGas * 2n + tip);
    const gasLimit = BigInt(call.gas ?? usualGas);
    const tx = unsignedTransaction(chain, call, { from, nonce, gasLimit, maxFeePerGas });
    const hash = keccak256(stringToHex(`${from}/${nonce}/${chain.blocks.length}/${JSON.stringify(call)}`));
    return acceptTransaction(chain, { tx, from, hash, isImpersonated: true });
  },
};

type Snapshot = { readonly blocks: number; readonly position: number; readonly settings: ChainSettings };
const snapshots = new WeakMap<Chain, Snapshot[]>();

function snapshotsOf(chain: Chain): Snapshot[] {
  const known = snapshots.get(chain) ?? [];
  snapshots.set(chain, known);
  return known;
}

const secondsNow = () => Math.floor(Date.now() / 1000);

function change(chain: Chain, settings: Partial<ChainSettings>): true {
  chain.settings = { ...chain.settings, ...settings };
  return true;
}

/** What tests ask a development node, by the names of anvil. */
const testMethods: Readonly<Record<string, Method>> = {
  evm_snapshot: (chain) => {
    const { blocks, machine, settings } = chain;
    const taken = snapshotsOf(chain);
    taken.push({ blocks: blocks.length, position: machine.state.position, settings });
    return numberToHex(taken.length - 1);
  },
  evm_revert: (chain, id: Hex) => {
    const taken = snapshotsOf(chain);
    const [snapshot] = taken.splice(Number(id));
    if (snapshot === undefined) return false;
    dropBlocks(chain, snapshot.blocks);
    chain.machine.state.undoTo(snapshot.position);
    chain.pool.length = 0;
    return change(chain, snapshot.settings);
  },
  evm_mine: async (chain) => {
    await minePool(chain);
    return '0x0';
  },
  anvil_mine: async (chain, count: Hex = '0x1', interval: Hex = '0x0') => {
    for (let mined = 0; mined < Number(count); mined += 1) {
      if (mined > 0) change(chain, { clockOffset: chain.settings.clockOffset + Number(interval) });
      await minePool(chain);
    }
    return null;
  },
  evm_setAutomine: (chain, automine: boolean) => change(chain, { automine }),
  evm_increaseTime: (chain, seconds: Hex | number) => {
    const clockOffset = chain.settings.clockOffset + Number(seconds);
    change(chain, { clockOffset });
    return numberToHex(clockOffset);
  },
  evm_setTime: (chain, time: Hex | number) => change(chain, { clockOffset: Number(time) - secondsNow() }),
  evm_setNextBlockTimestamp: (chain, time: Hex | number) =>
    change(chain, { nextTimestamp: Number(time), clockOffset: Number(time) - secondsNow() }),
  anvil_setNextBlockBaseFeePerGas: (chain, fee: Hex) => change(chain, { nextBaseFee: BigInt(fee) }),
  anvil_setCoinbase: (chain, coinbase: Address) => change(chain, { coinbase }),
  anvil_setBalance: async ({ machine: { state } }, account: Address, value: Hex) => {
    await state.modifyAccountFields(addressOf(account), { balance: BigInt(value) });
  },
  anvil_setNonce: async ({ machine: { state } }, account: Address, nonce: Hex) => {
    await state.modifyAccountFields(addressOf(account), { nonce: BigInt(nonce) });
  },
  anvil_setCode: async ({ machine: { state } }, account: Address, code: Hex) => {
    await state.putCode(addressOf(account), hexToBytes(code));
  },
  anvil_setStorageAt: async ({ machine: { state } }, account: Address, slot: Hex, value: Hex) => {
    await state.putStorage(addressOf(account), slotOf(slot), hexToBytes(value));
    return true;
  },
  // Every account may send transactions without a signature.
  anvil_impersonateAccount: () => null,
  anvil_stopImpersonatingAccount: () => null,
};

/** The JSON-RPC methods of the chain. */
export const chainMethods: ReadonlyMap<string, Method> = new Map(
  Object.entries({ ...nodeMethods, ...sendingMethods, ...testMethods }),
);
