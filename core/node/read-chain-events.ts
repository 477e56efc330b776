import { type Address, getAddress } from 'viem';
import { attachToOperations } from './attach-to-operations.ts';
import type { ChainClient } from './chain-client.ts';
import type { ChainEvent, UserOperationLanded, WithdrawalEvent } from './chain-event.ts';
import { completeCharges } from './complete-charges.ts';
import { userOperationEvent, withdrawnEvent } from './entry-point-events.ts';
import { type EventRange, inChainOrder, onChain, placeOf, within } from './event-range.ts';
import { readCustomerEvents } from './read-customer-events.ts';
import { readDeposits } from './read-deposits.ts';
import { readTokenPayments } from './read-token-payments.ts';

/** Reads a range of events in chain order. Rejects when the node does not answer or answers half a log. */
export async function readChainEvents(client: ChainClient, range: EventRange): Promise<readonly ChainEvent[]> {
  const [landed, withdrawals, payments, customers] = await Promise.all([
    readUserOperations(client, range),
    readWithdrawals(client, range),
    readTokenPayments(client, range),
    readCustomerEvents(client, range),
  ]);
  const deposits = await readDeposits(client, range, { operations: landed, withdrawals });
  const operations = attachToOperations(landed, { charges: customers.charges, payments });
  const charged = await completeCharges(client, range, { operations, movements: customers.movements });
  return [...charged, ...withdrawals, ...deposits, ...customers.movements].sort(inChainOrder);
}

function addressesOf(range: EventRange): Address[] {
  return range.contracts.map(({ address }) => address);
}

async function readUserOperations(client: ChainClient, range: EventRange): Promise<readonly UserOperationLanded[]> {
  const logs = await client.getLogs({
    ...within(range),
    address: range.entryPoint,
    event: userOperationEvent,
    args: { paymaster: addressesOf(range) },
  });
  return onChain(logs, range, range.entryPoint).map((log) => ({
    kind: 'user-operation',
    contract: getAddress(log.args.paymaster),
    userOperationHash: log.args.userOpHash,
    sender: getAddress(log.args.sender),
    nonce: log.args.nonce,
    success: log.args.success,
    actualGasCost: log.args.actualGasCost,
    ...placeOf(log),
  }));
}

async function readWithdrawals(client: ChainClient, range: EventRange): Promise<readonly WithdrawalEvent[]> {
  const logs = await client.getLogs({
    ...within(range),
    address: range.entryPoint,
    event: withdrawnEvent,
    args: { account: addressesOf(range) },
  });
  return onChain(logs, range, range.entryPoint).map((log) => ({
    kind: 'withdrawal',
    contract: getAddress(log.args.account),
    amount: log.args.amount,
    ...placeOf(log),
  }));
}
