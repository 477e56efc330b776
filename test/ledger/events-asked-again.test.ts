import { type Hex, pad, parseAbiItem, toHex, zeroAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import { biconomySponsorship07 } from '../../core/evm/paymaster-contracts/biconomy/biconomy-sponsorship-0.7.ts';
import type { ChainClient } from '../../core/node/chain-client.ts';
import { readChainEvents } from '../../core/node/read-chain-events.ts';
import { contract, entryPoint, numberedAddress } from '../support/core/ledger-lab.ts';

const paid = parseAbiItem('event Paid(bytes32 indexed userOperationHash, address token, uint256 amount)');
const token = numberedAddress(0x70);
const otherContract = numberedAddress(0xc2);
/** Keeps balances of its customers. */
const keeper = numberedAddress(0xc3);
const customers = biconomySponsorship07.customerFunding;
if (customers === undefined) throw new Error('The contract keeps no balances.');
const { withdrawalEvent } = customers;
const keepingBalances = { address: keeper, customers };
const hashOf = (number: number): Hex => pad(toHex(number), { size: 32 });

/** The operation of this number, which its contract paid for in the block of that number. */
function landed(number: number, paymaster = contract) {
  const args = { userOpHash: hashOf(number), sender: token, paymaster, nonce: 1n, success: true, actualGasCost: 5n };
  return { ...placed(number), address: entryPoint, args };
}

function payment(number: number, amount: bigint, inToken = token) {
  const args = { userOperationHash: hashOf(number), token: inToken, amount };
  return { ...placed(number), logIndex: 1, address: contract, eventName: 'Paid', args };
}

/** What a contract took out of its deposit in the block of this number. */
function withdrawn(number: number, account = keeper) {
  return { ...placed(number), address: entryPoint, eventName: 'Withdrawn', args: { account, amount: 49n } };
}

/** What a customer of the contract took out of his balance there. */
function customerWithdrawn(number: number) {
  const args = { wallet: numberedAddress(2), to: numberedAddress(2), amount: 49n };
  return { ...placed(number), logIndex: 1, address: keeper, eventName: withdrawalEvent.name, args };
}

function placed(number: number) {
  return { blockNumber: BigInt(number), transactionHash: hashOf(number), logIndex: 2, removed: false };
}

type Log = ReturnType<typeof landed | typeof payment | typeof withdrawn | typeof customerWithdrawn>;

/** Whether a log tells an operation that one of these paid for. */
function ofOne(paymasters: readonly Hex[] | undefined) {
  return ({ args }: Log) => 'paymaster' in args && paymasters?.includes(args.paymaster) === true;
}

/** Reads blocks 1 to 9 from a node that tells these logs of the blocks, and others of one that is asked for by its hash. */
async function read(logs: readonly Log[], again: readonly Log[] = logs) {
  const asked: bigint[] = [];
  const client = {
    getBlock: async ({ blockNumber }: { blockNumber: bigint }) => {
      asked.push(blockNumber);
      return { hash: hashOf(Number(blockNumber)) };
    },
    getLogs: async (filter: {
      event?: { name: string };
      args: { paymaster: readonly Hex[] };
      events?: unknown;
      address: Hex;
      blockHash?: Hex;
    }) => {
      const told =
        filter.blockHash === undefined ? logs : again.filter((log) => log.transactionHash === filter.blockHash);
      if (filter.events !== undefined)
        return told.filter((log) => 'eventName' in log && log.address === filter.address);
      if (filter.event?.name === 'Withdrawn')
        return told.filter((log) => 'eventName' in log && log.eventName === 'Withdrawn');
      return filter.event?.name === 'UserOperationEvent' ? told.filter(ofOne(filter.args.paymaster)) : [];
    },
  };
  const contracts = [{ address: contract, tokenPaymentEvents: [paid] }, { address: otherContract }, keepingBalances];
  const range = { entryPoint, contracts, fromBlock: 1n, toBlock: 9n };
  const events = await readChainEvents(client as unknown as ChainClient, range);
  return { asked, payments: events.map((event) => 'tokenPayment' in event && event.tokenPayment?.amount) };
}

describe('an operation without the payment that its contract tells', () => {
  test('is asked for again by the hash of its block, and is unpaid when the node tells the same', async () => {
    expect(await read([landed(3), landed(7)])).toEqual({ asked: [3n, 7n], payments: [false, false] });
  });

  test('is worth nothing when the node tells the payment then', async () => {
    await expect(read([landed(3)], [landed(3), payment(3, 9n)])).rejects.toThrow('other events of block 3');
    await expect(read([landed(3)], [])).rejects.toThrow('other events of block 3');
  });
});

test('paid operations, and those of contracts that tell no payments, are asked for once', async () => {
  const logs = [payment(4, 9n), landed(4), landed(6, otherContract)];
  expect(await read(logs)).toEqual({ asked: [], payments: [9n, false] });
});

test('a contract that tells of no token has told that nothing was paid', async () => {
  expect(await read([payment(4, 0n, zeroAddress), landed(4)])).toEqual({ asked: [], payments: [false] });
});

test('a withdrawal without the customer who made it is asked for again, and is the owner’s when the node tells the same', async () => {
  expect((await read([withdrawn(3), customerWithdrawn(5), withdrawn(5), withdrawn(7, contract)])).asked).toEqual([3n]);
  // Of a customer whose balance is older than the books nothing else would show it.
  const leftOut = read([withdrawn(3)], [customerWithdrawn(3), withdrawn(3)]);
  await expect(leftOut).rejects.toThrow('other events of block 3');
});
