import type { TypedTransaction } from '@ethereumjs/tx';
import { createAddressFromString } from '@ethereumjs/util';
import { type RunTxResult, runTx } from '@ethereumjs/vm';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Address, bytesToHex, type Hex, hexToBytes, keccak256, numberToHex, stringToHex } from 'viem';
import { minBigint } from '../../../../core/base/values/integers.ts';
import { deploymentProxy } from '../../../../core/evm/deployment-proxy.ts';
import { type BlockPosition, createMachine, type Machine, type OwnPrices } from './machine.ts';

/** Gas of a block. */
const gasLimit = 60_000_000n;
const firstBaseFee = 1_000_000_000n;
/** EIP-1559: `BASE_FEE_MAX_CHANGE_DENOMINATOR`, `ELASTICITY_MULTIPLIER`. */
const [baseFeeChange, elasticity] = [8n, 2n];
const noBloom: Hex = `0x${'00'.repeat(256)}`;
const noHash: Hex = `0x${'00'.repeat(32)}`;

/** Roots are not computed. */
const fieldsOfEveryBlock = {
  gasLimit: numberToHex(gasLimit),
  logsBloom: noBloom,
  stateRoot: noHash,
  receiptsRoot: noHash,
  transactionsRoot: noHash,
  withdrawalsRoot: noHash,
  parentBeaconBlockRoot: noHash,
  sha3Uncles: noHash,
  uncles: [],
  withdrawals: [],
  blobGasUsed: '0x0',
  excessBlobGas: '0x0',
  difficulty: '0x0',
  totalDifficulty: '0x0',
  extraData: '0x',
  nonce: '0x0000000000000000',
  size: '0x200',
};

/** An error that an RPC method answers, with its code. */
export class ChainError extends Error {
  readonly code: number;
  readonly data: Hex | undefined;

  constructor(message: string, { code = -32_000, data }: { readonly code?: number; readonly data?: Hex } = {}) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** A transaction that waits for a block. `from` in lower case. */
export type SentTransaction = {
  readonly tx: TypedTransaction;
  readonly from: Address;
  readonly hash: Hex;
  /** Whether its sender may have code. */
  readonly isImpersonated: boolean;
};

export type MinedBlock = BlockPosition & {
  readonly hash: Hex;
  /** Position in the log of the state before its first transaction. */
  readonly before: number;
  readonly transactions: readonly Hex[];
  readonly logs: readonly Readonly<Record<string, unknown>>[];
  /** In the form of `eth_getBlockByNumber`, with the hashes of its transactions. */
  readonly shown: Readonly<Record<string, unknown>>;
};

/** A mined transaction and its receipt, in the form of the RPC methods. */
type MinedTransaction = {
  readonly transaction: Readonly<Record<string, unknown>>;
  readonly receipt: Readonly<Record<string, unknown>>;
};

/** What a test sets, and a snapshot keeps. */
export type ChainSettings = {
  /** Seconds that the chain's clock is ahead of the machine's. */
  clockOffset: number;
  nextTimestamp: number | undefined;
  nextBaseFee: bigint | undefined;
  coinbase: Address;
  /** Whether each transaction gets its own block at once. */
  automine: boolean;
};

/** A development chain in memory. Its methods must run one after the other. */
export type Chain = {
  readonly chainId: number;
  readonly gasLimit: bigint;
  readonly machine: Machine;
  readonly blocks: MinedBlock[];
  readonly mined: Map<Hex, MinedTransaction>;
  readonly pool: SentTransaction[];
  settings: ChainSettings;
};

/** What the keyless deployer leaves on every chain. */
const deploymentProxyCode: Hex =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3';

/** A chain with its first block, the CREATE2 deployer, and coin for some accounts. */
export async function createChain(options: {
  readonly chainId: number;
  readonly prices: OwnPrices | undefined;
  readonly balances: readonly { readonly address: Address; readonly balance: bigint }[];
}): Promise<Chain> {
  const { chainId, prices, balances } = options;
  const blocks: MinedBlock[] = [];
  const machine = await createMachine({ chainId, prices, hashOf: (number) => blocks[number]?.hash });
  const settings: ChainSettings = {
    clockOffset: 0,
    nextTimestamp: undefined,
    nextBaseFee: undefined,
    coinbase: '0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e',
    automine: true,
  };
  const chain: Chain = { chainId, gasLimit, machine, blocks, mined: new Map(), pool: [], settings };
  for (const { address, balance } of balances) {
    await machine.state.modifyAccountFields(createAddressFromString(address.toLowerCase()), { balance });
  }
  const deployer = createAddressFromString(deploymentProxy.toLowerCase());
  await machine.state.putCode(deployer, hexToBytes(deploymentProxyCode));
  await machine.state.modifyAccountFields(deployer, { nonce: 1n });
  await mineBlock(chain, []);
  return chain;
}

export function latestBlock({ blocks }: Chain): MinedBlock {
  const latest = blocks.at(-1);
  if (latest === undefined) throw new Error('The chain has no block.');
  return latest;
}

/** Where the next block is. */
export function nextPosition({ blocks, settings }: Chain): BlockPosition {
  const parent = blocks.at(-1);
  const now = BigInt(Math.floor(Date.now() / 1000) + settings.clockOffset);
  const earliest = parent?.timestamp ?? 0n;
  const timestamp = settings.nextTimestamp === undefined ? (now > earliest ? now : earliest) : settings.nextTimestamp;
  return {
    number: BigInt(blocks.length),
    timestamp: BigInt(timestamp),
    baseFeePerGas: settings.nextBaseFee ?? (parent === undefined ? firstBaseFee : baseFeeAfter(parent)),
  };
}

/** EIP-1559. */
function baseFeeAfter({ baseFeePerGas, shown }: MinedBlock): bigint {
  const target = gasLimit / elasticity;
  const used = BigInt(String(shown.gasUsed));
  if (used === target) return baseFeePerGas;
  if (used < target) return baseFeePerGas - (baseFeePerGas * (target - used)) / target / baseFeeChange;
  const rise = (baseFeePerGas * (used - target)) / target / baseFeeChange;
  return baseFeePerGas + (rise === 0n ? 1n : rise);
}

/** Takes a transaction into the pool and mines it, unless blocks are mined by hand. */
export async function acceptTransaction(chain: Chain, sent: SentTransaction): Promise<Hex> {
  const { pool, mined, settings } = chain;
  const nonce = await nonceOf(chain, sent.from);
  if (sent.tx.nonce < nonce) {
    throw new ChainError(`nonce too low: next nonce ${nonce}, tx nonce ${sent.tx.nonce}`, { code: -32_003 });
  }
  if (mined.has(sent.hash)) throw new ChainError('transaction already imported', { code: -32_003 });
  const replaced = pool.findIndex(({ from, tx }) => from === sent.from && tx.nonce === sent.tx.nonce);
  if (replaced >= 0) pool.splice(replaced, 1);
  pool.push(sent);
  if (!settings.automine) return sent.hash;
  for (const ready of await takeReady(chain)) {
    const [refused] = await mineBlock(chain, [ready]);
    if (refused !== undefined && ready === sent) throw new ChainError(refused, { code: -32_003 });
  }
  return sent.hash;
}

/** Mines what is in the pool and can be. */
export async function minePool(chain: Chain): Promise<void> {
  await mineBlock(chain, await takeReady(chain));
}

async function nonceOf({ machine }: Chain, from: Address): Promise<bigint> {
  return (await machine.state.getAccount(createAddressFromString(from)))?.nonce ?? 0n;
}

/** Takes the transactions out of the pool whose turn it is, in the order of their nonces. */
async function takeReady(chain: Chain): Promise<readonly SentTransaction[]> {
  const { pool } = chain;
  const nonces = new Map<Address, bigint>();
  const ready: SentTransaction[] = [];
  for (;;) {
    for (const { from } of pool) if (!nonces.has(from)) nonces.set(from, await nonceOf(chain, from));
    const at = pool.findIndex(({ from, tx }) => tx.nonce <= (nonces.get(from) ?? 0n));
    const [next] = at === -1 ? [] : pool.splice(at, 1);
    if (next === undefined) return ready;
    const due = nonces.get(next.from) ?? 0n;
    // One below is replaced by a mined one.
    if (next.tx.nonce < due) continue;
    nonces.set(next.from, due + 1n);
    ready.push(next);
  }
}

type Ran = { readonly sent: SentTransaction; readonly result: RunTxResult; readonly price: bigint };

/** Mines a block with these transactions. Answers why transactions could not be run: they are dropped. */
export async function mineBlock(chain: Chain, transactions: readonly SentTransaction[]): Promise<readonly string[]> {
  const { machine, blocks, settings } = chain;
  const position = nextPosition(chain);
  const block = machine.blockAt(position, { coinbase: settings.coinbase, gasLimit });
  const before = machine.state.position;
  const ran: Ran[] = [];
  const refused: string[] = [];
  for (const sent of transactions) {
    const { tx, isImpersonated } = sent;
    machine.state.allowSender(
      isImpersonated && (await hasCode(machine, sent.from)) ? tx.getSenderAddress() : undefined,
    );
    try {
      const result = await runTx(machine.vm, { tx, block, skipBlockGasLimitValidation: true });
      ran.push({ sent, result, price: position.baseFeePerGas + tipOf(tx, position.baseFeePerGas) });
    } catch (error) {
      refused.push(plainReason(error));
    } finally {
      machine.state.allowSender(undefined);
    }
  }
  // No empty block for a transaction that cannot be run.
  if (ran.length === 0 && refused.length > 0) return refused;
  const parentHash = blocks.at(-1)?.hash ?? noHash;
  const hashes = ran.map(({ sent }) => sent.hash);
  const { number, timestamp } = position;
  const hash = keccak256(stringToHex([parentHash, number, timestamp, ...hashes].join('/')));
  const logs = recordTransactions(chain, ran, { ...position, hash });
  const shown = {
    ...fieldsOfEveryBlock,
    hash,
    parentHash,
    number: numberToHex(number),
    timestamp: numberToHex(timestamp),
    gasUsed: numberToHex(blockGas(ran)),
    baseFeePerGas: numberToHex(position.baseFeePerGas),
    miner: settings.coinbase,
    mixHash: bytesToHex(block.header.mixHash),
    transactions: hashes,
  };
  blocks.push({ ...position, hash, before, transactions: hashes, logs, shown });
  chain.settings = { ...settings, nextTimestamp: undefined, nextBaseFee: undefined };
  return refused;
}

async function hasCode({ state }: Machine, account: Address): Promise<boolean> {
  return (await state.getCode(createAddressFromString(account))).length > 0;
}

/** EIP-8037: the gas of execution or that of new state, whichever is more. */
function blockGas(ran: readonly Ran[]): bigint {
  const [execution, state] = [
    ran.reduce((sum, { result }) => sum + (result.txRegularGas ?? result.totalGasSpent), 0n),
    ran.reduce((sum, { result }) => sum + (result.txStateGas ?? 0n), 0n),
  ];
  return execution > state ? execution : state;
}

function tipOf(tx: TypedTransaction, baseFeePerGas: bigint): bigint {
  if ('maxFeePerGas' in tx) return minBigint(tx.maxPriorityFeePerGas, tx.maxFeePerGas - baseFeePerGas);
  return tx.gasPrice - baseFeePerGas;
}

/** The library's reason, without its list of versions. */
export function plainReason(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split(' (vm hf')[0] ?? '';
}

/** Keeps the transactions and receipts of a block, and answers its logs. */
function recordTransactions(
  { chainId, mined }: Chain,
  ran: readonly Ran[],
  block: Pick<MinedBlock, 'hash' | 'number' | 'timestamp'>,
): MinedBlock['logs'] {
  const allLogs: Readonly<Record<string, unknown>>[] = [];
  let cumulative = 0n;
  for (const [index, { sent, result, price }] of ran.entries()) {
    const { totalGasSpent, execResult, createdAddress } = result;
    const isSuccess = execResult.exceptionError === undefined;
    cumulative += totalGasSpent;
    const place = {
      blockHash: block.hash,
      blockNumber: numberToHex(block.number),
      transactionIndex: numberToHex(index),
    };
    const found = { ...place, transactionHash: sent.hash, blockTimestamp: numberToHex(block.timestamp) };
    const logs = (isSuccess ? (execResult.logs ?? []) : []).map(([address, topics, data], offset) => ({
      address: bytesToHex(address),
      topics: topics.map((topic) => bytesToHex(topic)),
      data: bytesToHex(data),
      ...found,
      logIndex: numberToHex(allLogs.length + offset),
      removed: false,
    }));
    allLogs.push(...logs);
    const transaction = describeTransaction(chainId, sent);
    const { type, from, to } = transaction;
    const created = isSuccess && to === null ? (createdAddress?.toString() ?? null) : null;
    mined.set(sent.hash, {
      transaction: { ...transaction, ...place, gasPrice: numberToHex(price) },
      receipt: {
        ...found,
        type,
        from,
        to,
        logs,
        logsBloom: noBloom,
        status: isSuccess ? '0x1' : '0x0',
        gasUsed: numberToHex(totalGasSpent),
        cumulativeGasUsed: numberToHex(cumulative),
        effectiveGasPrice: numberToHex(price),
        contractAddress: created,
      },
    });
  }
  return allLogs;
}

/** A transaction in the form of `eth_getTransactionByHash`, without its block. */
export function describeTransaction(chainId: number, { tx, from, hash }: SentTransaction) {
  const { accessList, authorizationList } = tx.toJSON();
  const fees =
    'maxFeePerGas' in tx
      ? {
          maxFeePerGas: numberToHex(tx.maxFeePerGas),
          maxPriorityFeePerGas: numberToHex(tx.maxPriorityFeePerGas),
          accessList: accessList ?? [],
        }
      : { gasPrice: numberToHex(tx.gasPrice) };
  return {
    ...fees,
    ...omitAbsent({ authorizationList }),
    hash,
    from,
    to: tx.to?.toString() ?? null,
    type: numberToHex(tx.type),
    chainId: numberToHex(chainId),
    nonce: numberToHex(tx.nonce),
    value: numberToHex(tx.value),
    gas: numberToHex(tx.gasLimit),
    input: bytesToHex(tx.data),
    // An impersonated sender has signed nothing.
    v: numberToHex(tx.v ?? 0n),
    yParity: numberToHex(tx.v ?? 0n),
    r: numberToHex(tx.r ?? 1n),
    s: numberToHex(tx.s ?? 1n),
  };
}

/** Drops all blocks after the first `count`, and what happened in them. */
export function dropBlocks({ blocks, mined, machine }: Chain, count: number): void {
  const dropped = blocks.splice(count);
  for (const { transactions } of dropped) for (const hash of transactions) mined.delete(hash);
  const [first] = dropped;
  if (first !== undefined) machine.state.undoTo(first.before);
}
