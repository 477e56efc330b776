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
const {
  depositEvent,
  withdrawalEvent,
  chargeEvents: [chargeEvent],
} = customers;
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
  return {
    ...placed(number),
    logIndex: 3,
    address: entryPoint,
    eventName: 'Withdrawn',
    args: { account, amount: 49n },
  };
}

/** What moved the balance that a customer of the contract has there; he took out of it where nothing is said. */
function balanceMoved(number: number, event: { readonly name: string } | undefined = withdrawalEvent) {
  const args = { wallet: numberedAddress(2), to: numberedAddress(2), amount: 49n };
  return { ...placed(number), logIndex: 1, address: keeper, eventName: String(event?.name), args };
}

/** A deposit for the contract in the block of this number. */
function deposited(number: number) {
  const args = { account: contract, totalDeposit: 50n };
  return { ...placed(number), logIndex: 0, address: entryPoint, eventName: 'Deposited', args };
}

function placed(number: number) {
  return { blockNumber: BigInt(number), transactionHash: hashOf(number), logIndex: 2, removed: false };
}

type Log = ReturnType<typeof landed | typeof payment | typeof withdrawn | typeof balanceMoved | typeof deposited>;

/** Whether a log tells an operation that one of these paid for. */
function ofOne(paymasters: readonly Hex[] | undefined) {
  return ({ args }: Log) => 'paymaster' in args && paymasters?.includes(args.paymaster) === true;
}

/**
 * Reads blocks 1 to 9 from a node that tells these logs of the blocks, and others of one that is asked for by its hash. All of
 * their transactions call the EntryPoint with so many wei: with none they are someone's bundles.
 */
async function read(logs: readonly Log[], again: readonly Log[] = logs, value = 0n) {
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
      const reported =
        filter.blockHash === undefined ? logs : again.filter((log) => log.transactionHash === filter.blockHash);
      if (filter.events !== undefined)
        return reported.filter((log) => 'eventName' in log && log.address === filter.address);
      const name = filter.event?.name;
      if (name === 'Withdrawn' || name === 'Deposited')
        return reported.filter((log) => 'eventName' in log && log.eventName === name);
      return name === 'UserOperationEvent' ? reported.filter(ofOne(filter.args.paymaster)) : [];
    },
    getTransaction: async () => ({ to: entryPoint, from: token, value }),
    call: async () => ({ data: toHex(50n) }),
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

test('an operation without its payment is worth nothing either when something else of its block was left out', async () => {
  const others = [withdrawn(3, contract), balanceMoved(3), balanceMoved(3, chargeEvent)];
  for (const other of others) {
    await expect(read([landed(3)], [landed(3), other])).rejects.toThrow('other events of block 3');
  }
});

test('a withdrawal without the customer who made it is asked for again, and is the owner’s when the node tells the same', async () => {
  expect((await read([withdrawn(3), balanceMoved(5), withdrawn(5), withdrawn(7, contract)])).asked).toEqual([3n]);
  // A deposit is not what took it out.
  expect((await read([withdrawn(3), balanceMoved(3, depositEvent)])).asked).toEqual([3n]);
  // Of a customer whose balance is older than the ledger nothing else would show it.
  const leftOut = read([withdrawn(3)], [balanceMoved(3), withdrawn(3)]);
  await expect(leftOut).rejects.toThrow('other events of block 3');
});

describe('a deposit that came in with others’ calls, and would explain whatever else was left out of its block', () => {
  test('is asked for again by the hash of its block', async () => {
    const logs = [deposited(3), landed(5, otherContract)];
    expect((await read(logs)).asked).toEqual([3n]);
    // What one wallet sent explains nothing but itself.
    expect((await read(logs, logs, 50n)).asked).toEqual([]);
  });

  test('is worth nothing when the node tells an operation of that block then', async () => {
    const again = [deposited(3), landed(3, otherContract)];
    await expect(read([deposited(3)], again)).rejects.toThrow('other events of block 3');
  });

  test('is missed when it was left out of a block that is asked for again', async () => {
    await expect(read([withdrawn(3)], [withdrawn(3), deposited(3)])).rejects.toThrow('other events of block 3');
  });
});
