import { omitAbsent } from '@tollfree/contract/omit-absent';
import { createTimers, repeat, type Timers } from '../../base/time/clock.ts';
import { maxBigint } from '../../base/values/integers.ts';
import type { HotWalletStatus, RefillBlock } from '../../domain/chain-config.ts';
import { readUnsettled } from '../../ledger/hot-wallet/transfers.ts';
import { recordTransfer } from '../../ledger/hot-wallet/write-transfers.ts';
import { asLeader } from '../../store/leading.ts';
import { type Running, whileLeading } from '../leading/while-leading.ts';
import { followTransfer } from './follow-transfer.ts';
import { askAllNodes, capOf, type HotWalletParts, lowestOf, RefillBlocked } from './hot-wallet-parts.ts';
import { type DueRefill, findDueRefill } from './refill-targets.ts';
import { boundFees, callOf, currentFees, refillBudget, signAndSend } from './sign-and-send.ts';

/** Turns of the watcher between two balance checks: each check asks every node about every balance. */
const pollsPerTurn = 10;

/** The inputs of a turn. */
export type Turn = HotWalletParts & {
  /** Why nothing is signed on any chain, in words. */
  readonly fault?: (() => string | undefined) | undefined;
};

type Options = Turn & {
  readonly pollIntervalMs: number;
  /** Called after each turn; with undefined once this process no longer leads. */
  readonly onStatus: (status: HotWalletStatus | undefined) => void;
  readonly timers?: Timers;
};

/** While this process leads, tops up balances that are below their threshold, one after the other. */
export function startRefilling(options: Options): Running {
  const { store, onStatus } = options;
  return whileLeading(store.leadership, () => {
    const running = startTurns({ ...options, store: asLeader(store) });
    return {
      close: async () => {
        await running.close();
        onStatus(undefined);
      },
    };
  });
}

function startTurns(options: Options): Running {
  const { clock, logger, chainId, pollIntervalMs, onStatus, timers = createTimers(clock) } = options;
  let last: RefillBlock | undefined;
  const turn = async () => {
    const status = await refillTurn(options);
    if (status.block !== undefined && status.block !== last) {
      logger.error({ chainId, block: status.block }, `A refill is not sent: ${status.text}`);
    }
    last = status.block;
    onStatus(status);
  };
  return repeat({ clock, timers }, pollsPerTurn * pollIntervalMs, turn, (cause) => {
    last = undefined;
    onStatus({ block: 'fault' });
    logger.error({ err: cause, chainId }, 'A turn of the hot wallet failed; trying again');
  });
}

/** One turn: follows the pending transfer, and sends the next refill if there is none. */
export async function refillTurn(options: Turn): Promise<HotWalletStatus & { readonly text?: string }> {
  const { nodes, wallet, store, chainId, client } = options;
  const { address } = wallet;
  let walletBalance: bigint | undefined;
  try {
    const fault = options.fault?.();
    if (fault !== undefined) throw new RefillBlocked('fault', fault);
    const [counts, balances, head] = await Promise.all([
      askAllNodes(nodes, (node) => node.getTransactionCount({ address })),
      askAllNodes(nodes, (node) => node.getBalance({ address })),
      client.getBlockNumber({ cacheTime: 0 }),
    ]);
    walletBalance = lowestOf(balances);
    let nextNonce = Math.max(...counts);
    for (const transfer of await readUnsettled(store.db, { chainId, wallet: address }, nextNonce)) {
      if (!(await followTransfer(options, transfer, { head, nextNonce }))) return { walletBalance };
      // A node that is behind does not count it yet.
      if (transfer.nonce === nextNonce) nextNonce += 1;
    }
    const refill = await findDueRefill(options);
    if (refill === undefined) return { walletBalance };
    await refuseSharedWallet(options);
    // A count that is too high would make the transfer wait for nonces that no one uses.
    if (counts.some((count) => count !== nextNonce)) {
      throw new RefillBlocked('nodes', 'The nodes report different nonces of the hot wallet.');
    }
    await sendRefill(options, refill, { nextNonce, walletBalance });
    return { walletBalance };
  } catch (cause) {
    if (!(cause instanceof RefillBlocked)) throw cause;
    return { block: cause.block, text: cause.message, ...omitAbsent({ walletBalance }) };
  }
}

/** Transfers of a funding wallet belong to its tank, those of the hot wallet to the operator: one wallet cannot be both. */
async function refuseSharedWallet({ store, wallet }: Turn): Promise<void> {
  const row = await store.db
    .selectFrom('funding_wallets')
    .select('funding_wallet_number')
    .where('address', '=', wallet.address)
    .limit(1)
    .executeTakeFirst();
  if (row !== undefined) throw new RefillBlocked('shared', 'The hot wallet is the funding wallet of a paymaster.');
}

/** A transfer or a deposit needs far less, even where gas pays for data. */
const maxGas = 2_000_000n;
/** Their minimum: with a lower answer from a node they would never land, or fail. */
const minGas = 21_000n;
const minDepositGas = 80_000n;
/**
 * Sends a refill in full or not at all. It is recorded, with everything that counts for the cap, before it is signed.
 *
 * @throws RefillBlocked when it cannot be sent now.
 */
async function sendRefill(
  parts: HotWalletParts,
  { target, entryPoint, amount }: DueRefill,
  { nextNonce, walletBalance }: { readonly nextNonce: number; readonly walletBalance: bigint },
): Promise<void> {
  const { client, chainId, store, maxFeePerGasCeiling: ceiling } = parts;
  const { address } = parts.wallet;
  if (walletBalance <= amount) throw new RefillBlocked('wallet', 'The hot wallet has too little coin.');
  await refuseOthersTransactions(parts, nextNonce);
  const place = { target, ...omitAbsent({ entryPoint }) };
  const estimate = await client.estimateGas({ account: address, ...callOf({ ...place, amount }) });
  const least = entryPoint === undefined ? minGas : minDepositGas;
  const gas = maxBigint((estimate * 5n) / 4n, least);
  if (gas > maxGas) throw new RefillBlocked('fees', 'The node estimates an impossible amount of gas.');
  const bounds = { budget: refillBudget(amount), gas, ceiling };
  const fees = boundFees(await currentFees(client, await client.getBlock()), bounds);
  if (walletBalance < amount + gas * fees.maxFeePerGas) {
    throw new RefillBlocked('wallet', 'The hot wallet has too little coin.');
  }
  const draft = { chainId, wallet: address, ...place, amount, nonce: nextNonce, gas, fees };
  const transfer = await recordTransfer(store, draft, capOf(parts));
  if (transfer === undefined) throw new RefillBlocked('cap', 'maxPerDay is used up.');
  await signAndSend(parts, transfer);
}

/** A pending transaction in a node's pool would be replaced by a refill, or would delay it. */
async function refuseOthersTransactions({ nodes, wallet }: HotWalletParts, nextNonce: number): Promise<void> {
  const { address } = wallet;
  const pending = await askAllNodes(nodes, (node) => node.getTransactionCount({ address, blockTag: 'pending' }));
  if (pending.every((count) => count <= nextNonce)) return;
  throw new RefillBlocked('nonce', 'The hot wallet has transactions under way that the service did not send.');
}
