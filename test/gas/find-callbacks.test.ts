import { join } from 'node:path';
import { type Abi, type Address, encodeDeployData, encodeFunctionData, getAddress, type Hex, parseEther } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { InnerCall } from '../../core/evm/account-decoders/decoder.ts';
import { findCallbacks } from '../../core/gas/simulation/find-callbacks.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { compileSolidity } from '../../tools/compile-solidity.ts';
import { deploy } from '../support/chain/deploy-code.ts';
import { leaseDevnet } from '../support/chain/lease-devnet.ts';
import { clientOf, closedNode } from '../support/chain/plain-client.ts';
import { accepted, refusalOf } from '../support/core/start-management.ts';
import { freshKey } from '../support/service/running-service.ts';

const compiled = compileSolidity(join(import.meta.dirname, 'contracts/Callbacks.sol'));

function compiledAs(name: string): { readonly abi: Abi; readonly bytecode: Hex } {
  const { abi, creationBytecode: bytecode } = compiled.get(name) ?? expect.fail(`There is no contract ${name}.`);
  return { abi, bytecode };
}

const { abi } = compiledAs('Callbacks');
const stranger = () => privateKeyToAddress(freshKey());

let devnet: Devnet;
let callbacks: Address;
let proxy: Address;
beforeAll(async () => {
  devnet = await leaseDevnet();
  callbacks = await deploy(devnet, compiledAs('Callbacks').bytecode);
  proxy = await deploy(devnet, encodeDeployData({ ...compiledAs('Proxy'), args: [callbacks] }));
});
afterAll(() => devnet.close());

type Asked = { readonly args?: readonly unknown[]; readonly value?: bigint; readonly target?: Address };

function callOf(functionName: string, { args = [], value = 0n, target = callbacks }: Asked = {}): InnerCall {
  const data = encodeFunctionData({ abi, functionName, args });
  return { target, value, selector: data.slice(0, 10) as Hex, data };
}

/** What is found of the calls of an account with one ether, which is not on the chain yet. */
async function find(calls: readonly InnerCall[], account = stranger()) {
  await devnet.client.setBalance({ address: account, value: parseEther('1') });
  return accepted(await findCallbacks(clientOf(devnet), account, calls));
}

describe('a call that runs code which its caller can choose is found', () => {
  test.each(['collect', 'collectThroughPool', 'collectAndForget', 'collectWithPermission'])('by %s', async (name) => {
    expect(await find([callOf(name)])).toEqual([true]);
  });

  test('through a proxy', async () => {
    expect(await find([callOf('collect', { target: proxy })])).toEqual([true]);
  });

  test('where the caller’s address has code already', async () => {
    expect(await find([callOf('collect')], await deploy(devnet, compiledAs('Pool').bytecode))).toEqual([true]);
  });

  test('where coin is sent with all gas', async () => {
    expect(await find([callOf('refund', { value: 1n })])).toEqual([true]);
  });

  test('at an address of its arguments that has no code', async () => {
    expect(await find([callOf('giveTo', { args: [stranger()] })])).toEqual([true]);
  });

  test('after a call that it needs', async () => {
    expect(await find([callOf('collectIfNoted')])).toEqual([undefined]);
    const note = callOf('quietNote', { args: [stranger(), 1n] });
    expect(await find([note, callOf('collectIfNoted')])).toEqual([false, true]);
  });
});

describe('a call is not said to run such code', () => {
  test('if it calls no one', async () => {
    expect(await find([callOf('quietNote', { args: [stranger(), parseEther('3')] })])).toEqual([false]);
  });

  test('if it leaves a receiver 2,300 gas, or a question of ERC-165 30,000', async () => {
    expect(await find([callOf('quietRefund', { value: 1n }), callOf('quietQuestion')])).toEqual([false, false]);
  });

  test('if it calls a contract that is on the chain', async () => {
    const target = getAddress(devnet.target.address);
    expect(await find([{ ...callOf('quietNote', { args: [target, 1n] }) }])).toEqual([false]);
  });
});

test('of calls after one that reverts nothing is known', async () => {
  const reverting: InnerCall = { target: callbacks, value: 0n, data: '0x' };
  expect(await find([reverting, callOf('collect')])).toEqual([undefined, undefined]);
});

test('without a node nothing is known', async () => {
  const answer = await findCallbacks(closedNode(devnet.chainId), stranger(), [
    callOf('giveTo', { args: [stranger()] }),
  ]);
  expect(refusalOf(answer)).toMatch(/^CHAIN_UNAVAILABLE/);
});
