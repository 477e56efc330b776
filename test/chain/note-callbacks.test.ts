import { join } from 'node:path';
import { type Address, encodeFunctionData, type Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChainClient } from '../../core/node/chain-client.ts';
import { createCallbackNotes } from '../../core/runtime/note-callbacks.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { encodeAccountCalls } from '../../server/dev/user-operation/build-user-operation.ts';
import { compileSolidity } from '../../tools/compile-solidity.ts';
import { deploy } from '../support/chain/deploy-code.ts';
import { leaseDevnet } from '../support/chain/lease-devnet.ts';
import { clientOf, closedNode } from '../support/chain/plain-client.ts';
import { accepted, newPaymaster, startManagement } from '../support/core/start-management.ts';
import { operationWith } from '../support/core/step-lab.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { freshKey } from '../support/service/running-service.ts';

const compiled = compileSolidity(join(import.meta.dirname, '../gas/contracts/Callbacks.sol')).get('Callbacks');
const { abi, creationBytecode } = compiled ?? expect.fail('There is no contract Callbacks.');

let devnet: Devnet;
let callbacks: Address;
beforeAll(async () => {
  devnet = await leaseDevnet();
  callbacks = await deploy(devnet, creationBytecode);
});
afterAll(() => devnet.close());

/** A paymaster with the contract, whose operations are signed by saying so. */
async function open() {
  const { management, store, profiles, clock } = await startManagement();
  const { owned, paymaster } = await newPaymaster(management);
  const node = { client: clientOf(devnet), calls: 0 };
  const counting = new Proxy({} as ChainClient, {
    get: (_, name: keyof ChainClient) => {
      if (name === 'request') node.calls += 1;
      return node.client[name];
    },
  });
  const chains = new Map([[paymaster.chainId, { client: counting }]]);
  const notes = createCallbackNotes({ store, profiles, chains, clock, logger: silentLogger });
  let count = 0;

  /** The decision of an operation that calls these methods, after what came of it. */
  const sign = async (...methods: readonly string[]) => {
    count += 1;
    const decisionId = `decision ${count}`;
    const calls = methods.map((functionName) => encodeFunctionData({ abi, functionName }));
    notes.noteSigned({
      request: { apiKey: paymaster.apiKey, chainId: paymaster.chainId },
      decisionId,
      account: undefined,
      operation: operationWith({
        sender: privateKeyToAddress(freshKey()),
        callData: encodeAccountCalls(
          '0.7',
          calls.map((data) => ({ to: callbacks, data })),
        ),
      }),
      calls: calls.map((data) => ({ target: callbacks, selector: data.slice(0, 10) as Hex })),
    });
    await notes.close();
    return decisionId;
  };

  const change = async (whitelistedMethods: readonly string[]) =>
    accepted(await management.updateSmartContract({ ...owned, address: callbacks, whitelistedMethods }));
  const remove = async () => accepted(await management.deleteSmartContract({ ...owned, address: callbacks }));
  const register = async (whitelistedMethods: readonly string[]) =>
    accepted(
      await management.registerSmartContract({
        ...owned,
        name: 'callbacks',
        address: callbacks,
        abi: JSON.stringify(abi),
        whitelistedMethods,
      }),
    );
  const shown = async () => {
    const { contracts } = accepted(await management.listSmartContracts(owned));
    return contracts.flatMap(({ callsBack = [] }) => callsBack);
  };
  return { sign, register, change, remove, shown, node, clock };
}

const seen = (method: string, decisionId: string) =>
  `${method}() calls an address that the caller chooses (seen in the operation of decision ${decisionId})`;

test('a method that runs code of the caller is named with the operation that showed it, and others are not', async () => {
  const { sign, register, shown } = await open();
  expect(await register(['collect', 'collectThroughPool', 'quietCount'])).not.toHaveProperty('callsBack');
  await sign('quietCount');
  expect(await shown()).toEqual([]);
  const both = await sign('quietCount', 'collect');
  expect(await shown()).toEqual([seen('collect', both)]);
  const third = await sign('collect', 'collectThroughPool');
  expect(await shown()).toEqual([seen('collect', both), seen('collectThroughPool', third)]);
});

test('it stays known after a change of the methods, and is forgotten with the registration', async () => {
  const { sign, register, change, remove, shown } = await open();
  await register(['collect']);
  const decisionId = await sign('collect');
  expect(await change(['refund'])).not.toHaveProperty('callsBack');
  expect((await change(['refund', 'collect'])).callsBack).toEqual([seen('collect', decisionId)]);
  await remove();
  expect(await register(['collect'])).not.toHaveProperty('callsBack');
  expect(await shown()).toEqual([]);
  expect((await sign('collect')) && (await shown())).toHaveLength(1);
});

test('a method that is not whitelisted is not asked about', async () => {
  const { sign, register, shown, node } = await open();
  await register(['quietCount']);
  await sign('collect');
  expect(await shown()).toEqual([]);
  expect(node.calls).toBe(0);
});

test('a node is asked three times about a method that shows nothing, then every ten minutes, and again after a change', async () => {
  const { sign, register, change, node, clock } = await open();
  await register(['quietCount', 'collect']);
  for (let operations = 0; operations < 5; operations += 1) await sign('quietCount');
  expect(node.calls).toBe(3);
  await sign('collect');
  await sign('collect');
  expect(node.calls).toBe(4);
  await change(['quietCount']);
  await sign('quietCount');
  expect(node.calls).toBe(5);
  await sign('quietCount');
  await sign('quietCount');
  clock.advance(599);
  await sign('quietCount');
  expect(node.calls).toBe(7);
  clock.advance(1);
  for (let operations = 0; operations < 5; operations += 1) await sign('quietCount');
  expect(node.calls).toBe(8);
});

test('a node that is away costs nothing, and is asked again a minute later', async () => {
  const { sign, register, shown, node, clock } = await open();
  node.client = closedNode(devnet.chainId);
  await register(['collect']);
  await sign('collect');
  node.client = clientOf(devnet);
  await sign('collect');
  expect(await shown()).toEqual([]);
  clock.advance(61);
  const decisionId = await sign('collect');
  expect(await shown()).toEqual([seen('collect', decisionId)]);
});
