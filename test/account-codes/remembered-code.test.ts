import { type Address, concat, getAddress, type Hex, InternalRpcError, keccak256, MethodNotFoundRpcError } from 'viem';
import { beforeEach, describe, expect, test } from 'vitest';
import { delegationCode } from '../../core/evm/entry-point/eip7702.ts';
import { type AccountReader, createAccountReader } from '../../core/node/account-codes/create-account-reader.ts';
import type { ChainClient } from '../../core/node/chain-client.ts';
import { numberedAddress } from '../support/core/ledger-lab.ts';

const [account, implementation, factory] = [numberedAddress(0xacc), numberedAddress(0x1), numberedAddress(0xfa)];
const [runs, makes, strange]: readonly Hex[] = ['0x6001', '0x6002', '0x6003'];
const kind = { name: 'INFINITISM', version: '1.0.0' };
const known = {
  implementations: [{ ...kind, codeHash: keccak256(runs ?? '0x') }],
  factories: [{ ...kind, codeHash: keccak256(makes ?? '0x') }],
};

/** What the node says is at an address, and what it was asked for. */
let there: Map<Address, Hex | undefined>;
let asked: Address[];
let now: number;
/** What the node says where it is to make an account and look at it. */
let simulationError: Error;
let reader: AccountReader;

beforeEach(() => {
  there = new Map([
    [account, delegationCode(implementation)],
    [implementation, runs],
    [factory, makes],
  ]);
  asked = [];
  simulationError = new MethodNotFoundRpcError(new Error('no'), { method: 'eth_simulateV1' });
  now = 1_000_000;
  const request = async ({ method, params: [address] }: { method: string; params: [Address] }) => {
    if (method === 'eth_simulateV1') throw simulationError;
    asked.push(getAddress(address));
    return there.get(getAddress(address)) ?? '0x';
  };
  const client = { request } as unknown as ChainClient;
  reader = createAccountReader({ client, known, clock: { now: () => now } });
});

async function read(initCode: Hex = '0x'): Promise<string> {
  const operation = {
    entryPointVersion: '0.7',
    sender: account,
    nonce: 0n,
    initCode,
    callData: '0x',
    maxFeePerGas: 1n,
    maxPriorityFeePerGas: 1n,
    signature: '0x',
  } as const;
  const words = {};
  const seen = { code: there.get(account) ?? '0x', words, beaconImplementation: numberedAddress(0) };
  const reading = await reader.read(operation, numberedAddress(0xe1), seen);
  if (!reading.ok) return reading.refusal.reason;
  const { value } = reading;
  return value.state === 'unknown' ? `unknown of ${value.list}` : value.state;
}

/** What is read, and the setting of the operator that would make other code known. */
describe.each([
  ['code that runs', implementation, '0x' as Hex, 'deployed', 'implementations'],
  ['a factory', factory, concat([factory, '0x01']), 'created', 'factories'],
  ['a factory without call data', factory, factory, 'created', 'factories'],
])('%s', (_, address, initCode, state, setting) => {
  const times = () => asked.filter((one) => one === address).length;

  test('that is known is asked for once in a minute, and then looked at again', async () => {
    expect(await read(initCode)).toBe(state);
    now += 59_999;
    expect(await read(initCode)).toBe(state);
    expect(times()).toBe(1);
    there.set(address, strange);
    now += 1;
    expect(await read(initCode)).toBe(`unknown of ${setting}`);
    expect(times()).toBeGreaterThan(1);
  });

  test('that is not known is asked for each time: it may be there in the next block', async () => {
    there.set(address, undefined);
    expect(await read(initCode)).toMatch(/^unknown/);
    there.set(address, address === factory ? makes : runs);
    expect(await read(initCode)).toBe(state);
  });
});

test('what a factory of the operator makes is not known while the node fails to make it', async () => {
  const initCode = concat([factory, '0x01']);
  simulationError = new InternalRpcError(new Error('busy'));
  expect(await read(initCode)).toBe('CHAIN_UNAVAILABLE');
  simulationError = new MethodNotFoundRpcError(new Error('no'), { method: 'eth_simulateV1' });
  expect(await read(initCode)).toBe('created');
});
