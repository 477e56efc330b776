import { type Address, pad, toHex } from 'viem';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ChainConfig } from '../../core/domain/core-config.ts';
import type { CustomerFunding } from '../../core/evm/paymaster-contracts/family/family.ts';
import { createChainClient } from '../../core/node/chain-client.ts';
import type { UserOperationLanded } from '../../core/node/chain-event.ts';
import { attachToOperations, type CustomerMovement, completeCharges } from '../../core/node/complete-charges.ts';
import { createCustomerBalances } from '../../core/node/customer-balances.ts';
import { onChain } from '../../core/node/event-range.ts';
import { ifStateIsThere } from '../../core/node/node-error.ts';
import { contract, entryPoint, numberedAddress } from '../support/core/ledger-lab.ts';
import { respond, respondError, respondResult, startRpcServer } from '../support/servers/json-rpc-server.ts';

const bundle = toHex(1n, { size: 32 });
const otherContract = numberedAddress(0xc2);

function landed(logIndex: number, over: Partial<UserOperationLanded> = {}): UserOperationLanded {
  return {
    kind: 'user-operation',
    contract,
    userOperationHash: pad(toHex(logIndex), { size: 32 }),
    sender: numberedAddress(0xa1),
    nonce: BigInt(logIndex),
    success: true,
    actualGasCost: 1n,
    blockNumber: 5n,
    txHash: bundle,
    logIndex,
    ...over,
  };
}

function charge(logIndex: number, amount: bigint, over: { txHash?: `0x${string}` } = {}) {
  return { contract, wallet: numberedAddress(1), amount, blockNumber: 5n, txHash: bundle, logIndex, ...over };
}

function clientOf(url: string) {
  const config = { chainId: 1, name: 'chain', nodeUrls: [url], callTimeoutMs: 5_000, pollIntervalMs: 100 };
  return createChainClient(config as unknown as ChainConfig);
}

test('each operation of a bundle has the charge that stands before it, also next to those of another contract', () => {
  const foreign = landed(3, { contract: otherContract });
  const elsewhere = landed(2, { txHash: toHex(2n, { size: 32 }) });
  const operations = [landed(6), foreign, landed(2), elsewhere];
  const charges = [charge(5, 60n), charge(1, 20n)];
  const attached = attachToOperations(operations, { charges, payments: [] });
  const wallet = numberedAddress(1);
  expect(attached.map((operation) => operation.charge)).toEqual([
    { wallet, amount: 60n },
    undefined,
    { wallet, amount: 20n },
    undefined,
  ]);
});

test('a payment in a token belongs to the operation it names', () => {
  const [first, second] = [landed(2), landed(6)];
  const token = numberedAddress(0x70);
  const payment = { contract, userOperationHash: second.userOperationHash, token, amount: 7n };
  const payments = [{ ...payment, blockNumber: 5n, txHash: bundle, logIndex: 1 }];
  const attached = attachToOperations([first, second], { charges: [], payments });
  expect(attached.map(({ tokenPayment }) => tokenPayment)).toEqual([undefined, { token, amount: 7n, logIndex: 1 }]);
});

test.each([
  ['missing trie node 1f2e (path )', true],
  ['historical state 0x1234 is not available', true],
  ['required historical state unavailable (reexec=128)', true],
  ['state at block #12 is pruned', true],
  ['state already pruned for this block', true],
  ['state not available for block 12', true],
  ['this node is not an archive node', true],
  ['project does not have ARCHIVE access', true],
  ['the state root is missing', true],
  ['header not found', false],
  ['execution timeout', false],
])('"%s" from a node means that asking again is of no use: %s', async (message, gone) => {
  const node = await startRpcServer((request, response) =>
    respond(response, { jsonrpc: '2.0', id: request.id, error: { code: -32_000, message } }),
  );
  onTestFinished(node.close);
  const question = ifStateIsThere(clientOf(node.url).call({ to: contract, data: '0x', blockNumber: 3n }));
  if (gone) expect(await question).toBeUndefined();
  else await expect(question).rejects.toThrow(message);
});

test('a node that is away does not say that the state is gone', async () => {
  const node = await startRpcServer(() => {});
  await node.close();
  const question = clientOf(node.url).call({ to: contract, data: '0x', blockNumber: 3n });
  await expect(ifStateIsThere(question)).rejects.toThrow();
  await expect(ifStateIsThere(Promise.reject(new Error('missing trie node')))).rejects.toThrow('missing trie node');
});

describe('a contract that charges more than it tells', () => {
  const customers = { balanceData: () => '0x70a08231', chargesMoreThanReported: true } as unknown as CustomerFunding;

  /** The charges of three operations of one wallet in block 5, which took its balance from 1,000 to `after`. */
  async function complete(after: bigint, movements: readonly CustomerMovement[] = []) {
    const node = await startRpcServer((request, response) =>
      respondResult(response, request, toHex(request.params[1] === '0x4' ? 1_000n : after, { size: 32 })),
    );
    onTestFinished(node.close);
    const operations = [charge(1, 10n), charge(3, 20n), charge(5, 30n)].map((reported) =>
      landed(reported.logIndex + 1, { charge: { wallet: reported.wallet, amount: reported.amount } }),
    );
    const range = { entryPoint, contracts: [{ address: contract, customers }], fromBlock: 1n, toBlock: 9n };
    const completed = await completeCharges(clientOf(node.url), range, { operations, movements });
    return completed.map((operation) => operation.charge?.amount);
  }

  test('has the rest shared by the operations of a block, to the last wei', async () => {
    expect(await complete(1_000n - 60n - 11n)).toEqual([13n, 23n, 35n]);
  });

  test('has what a customer put in and took out in that block left out of it', async () => {
    const moved = { contract, wallet: numberedAddress(1), blockNumber: 5n, txHash: bundle };
    const movements: readonly CustomerMovement[] = [
      { ...moved, kind: 'customer-deposit', amount: 500n, logIndex: 7 },
      { ...moved, kind: 'customer-withdrawal', amount: 100n, logIndex: 8 },
      { ...moved, kind: 'customer-deposit', amount: 9_000n, logIndex: 9, wallet: numberedAddress(2) },
      { ...moved, kind: 'customer-deposit', amount: 9_000n, logIndex: 1, blockNumber: 6n },
    ];
    expect(await complete(1_000n + 400n - 60n - 3n, movements)).toEqual([11n, 21n, 31n]);
  });

  test('is taken at its word where the balance fell by no more', async () => {
    expect(await complete(940n)).toEqual([10n, 20n, 30n]);
    expect(await complete(950n)).toEqual([10n, 20n, 30n]);
  });
});

test('a balance that could not be read is asked for again at once, and one that was read is not', async () => {
  let isDown = true;
  const node = await startRpcServer((request, response) =>
    isDown
      ? respondError(response, request, -32_000, 'overloaded')
      : respondResult(response, request, toHex(7n, { size: 32 })),
  );
  onTestFinished(node.close);
  const balances = createCustomerBalances(clientOf(node.url));
  expect(await balances.read(contract, '0x01')).toBeUndefined();
  isDown = false;
  expect(await balances.read(contract, '0x01')).toBe(7n);
  const asked = node.requests.length;
  expect(await balances.read(contract, '0x01')).toBe(7n);
  expect(node.requests.length).toBe(asked);
});

describe('logs that a node answers with', () => {
  const range = { entryPoint, contracts: [], fromBlock: 5n, toBlock: 7n };
  const log = (blockNumber: bigint, over: { removed?: boolean; address?: Address } = {}) => ({
    removed: false,
    address: entryPoint,
    blockNumber,
    ...over,
  });

  test('are not on the chain when a reorganisation has removed them', () => {
    const logs = [log(5n), log(6n, { removed: true }), log(7n)];
    expect(onChain(logs, range, entryPoint)).toEqual([log(5n), log(7n)]);
  });

  test.each([
    ['of a block before those asked for', log(4n)],
    ['of a block after those asked for', log(8n)],
    ['of another contract', log(6n, { address: otherContract })],
    ['of another contract that were removed', log(6n, { address: otherContract, removed: true })],
  ])('%s make all of its answer worthless', (_what, strange) => {
    expect(() => onChain([log(5n), strange], range, entryPoint)).toThrow('was not requested');
  });
});
