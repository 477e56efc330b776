import { type Address, getAddress, isAddressEqual } from 'viem';
import type { Logger } from '../domain/logger.ts';
import type { ChainEvent } from '../ledger/chain-event.ts';
import type { ChainClient } from './chain-client.ts';
import { depositedEvent, userOperationEvent } from './entry-point-events.ts';

/** Which events: those of these paymaster contracts at this EntryPoint, in these blocks (both ends included). */
export type EventRange = {
  readonly entryPoint: Address;
  readonly contracts: readonly Address[];
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
};

type Placed = { readonly blockNumber: bigint; readonly event: ChainEvent };

/** Reads a range of events in chain order. Rejects when the node does not answer or answers half a log. */
export async function readChainEvents(
  client: ChainClient,
  range: EventRange,
  logger: Logger,
): Promise<readonly ChainEvent[]> {
  const [operations, deposits] = await Promise.all([
    readUserOperations(client, range),
    readDeposits(client, range, logger),
  ]);
  return [...operations, ...deposits].sort(inChainOrder).map((placed) => placed.event);
}

function inChainOrder(a: Placed, b: Placed): number {
  if (a.blockNumber !== b.blockNumber) return a.blockNumber < b.blockNumber ? -1 : 1;
  return a.event.logIndex - b.event.logIndex;
}

async function readUserOperations(client: ChainClient, range: EventRange): Promise<readonly Placed[]> {
  const logs = await client.getLogs({
    address: range.entryPoint,
    event: userOperationEvent,
    args: { paymaster: [...range.contracts] },
    fromBlock: range.fromBlock,
    toBlock: range.toBlock,
    strict: true,
  });
  return logs.map((log) => ({
    blockNumber: log.blockNumber,
    event: {
      kind: 'user-operation',
      contract: getAddress(log.args.paymaster),
      userOperationHash: log.args.userOpHash,
      sender: getAddress(log.args.sender),
      nonce: log.args.nonce,
      actualGasCost: log.args.actualGasCost,
      txHash: log.transactionHash,
      logIndex: log.logIndex,
    },
  }));
}

/**
 * `Deposited` tells the new total, not the amount, and not who paid. Both are taken from the transaction: the value an
 * account sent straight to the EntryPoint or to the paymaster. Other ways of depositing fund no tank and are logged.
 */
async function readDeposits(client: ChainClient, range: EventRange, logger: Logger): Promise<readonly Placed[]> {
  const logs = await client.getLogs({
    address: range.entryPoint,
    event: depositedEvent,
    args: { account: [...range.contracts] },
    fromBlock: range.fromBlock,
    toBlock: range.toBlock,
    strict: true,
  });
  const perTransaction = new Map<string, number>();
  for (const log of logs) perTransaction.set(log.transactionHash, (perTransaction.get(log.transactionHash) ?? 0) + 1);

  const placed: Placed[] = [];
  for (const log of logs) {
    const contract = getAddress(log.args.account);
    const transaction = await client.getTransaction({ hash: log.transactionHash });
    const { to, from, value } = transaction;
    const direct = to !== null && (isAddressEqual(to, range.entryPoint) || isAddressEqual(to, contract));
    if (!direct || perTransaction.get(log.transactionHash) !== 1) {
      logger.warn(
        { txHash: log.transactionHash, contract },
        'A deposit was not made directly by one account: it funds no tank',
      );
      continue;
    }
    placed.push({
      blockNumber: log.blockNumber,
      event: {
        kind: 'deposit',
        contract,
        wallet: getAddress(from),
        amount: value,
        txHash: log.transactionHash,
        logIndex: log.logIndex,
      },
    });
  }
  return placed;
}
