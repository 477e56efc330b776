import { pad, toHex } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import type { ChainConfig } from '../../core/domain/core-config.ts';
import { attachToOperations } from '../../core/node/attach-to-operations.ts';
import { createChainClient } from '../../core/node/chain-client.ts';
import type { UserOperationLanded } from '../../core/node/chain-event.ts';
import { ifStateIsThere } from '../../core/node/if-state-is-there.ts';
import { contract, numberedAddress } from '../support/core/ledger-lab.ts';
import { respond, startRpcServer } from '../support/servers/json-rpc-server.ts';

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

test('each operation of a bundle has the charge that stands before it, also beside those of another contract', () => {
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
  ['header not found', false],
  ['execution timeout', false],
])('"%s" from a node means that asking again is of no use: %s', async (message, gone) => {
  const node = await startRpcServer((request, response) =>
    respond(response, { jsonrpc: '2.0', id: request.id, error: { code: -32_000, message } }),
  );
  onTestFinished(node.close);
  const config = { chainId: 1, name: 'chain', nodeUrls: [node.url], callTimeoutMs: 5_000, pollIntervalMs: 100 };
  const client = createChainClient(config as unknown as ChainConfig);
  const question = ifStateIsThere(client.call({ to: contract, data: '0x', blockNumber: 3n }));
  if (gone) expect(await question).toBeUndefined();
  else await expect(question).rejects.toThrow(message);
});
