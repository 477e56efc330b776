import { type Address, createPublicClient, encodeErrorResult, http, parseAbi } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccountReader } from '../../core/node/account-codes/create-account-reader.ts';
import { readCreatedSender } from '../../core/node/account-codes/judge-creation.ts';
import { type RpcServer, respond, startRpcServer } from '../support/servers/json-rpc-server.ts';

const sender: Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const entryPoint: Address = '0x0000000071727De22E5E9d8BAf0edAc6f37da032';
const abi = parseAbi(['error SenderAddressResult(address sender)', 'error FailedOp(uint256 opIndex, string reason)']);
const made = encodeErrorResult({ abi, errorName: 'SenderAddressResult', args: [sender] });
const failed = encodeErrorResult({ abi, errorName: 'FailedOp', args: [0n, 'AA13 initCode failed or OOG'] });

let node: RpcServer;
let answer: object = {};
beforeAll(async () => {
  node = await startRpcServer((request, response) => respond(response, { jsonrpc: '2.0', id: request.id, ...answer }));
});
afterAll(() => node.close());

const client = () => createPublicClient({ transport: http(node.url, { retryCount: 0 }) });
const reverted = (data?: unknown) => ({ error: { code: 3, message: 'execution reverted', data } });

test.each([
  ['bare', made],
  ['behind a word', `Reverted ${made}`],
  ['in an object', { data: made }],
])('the sender is read from revert data %s', async (_, data) => {
  answer = reverted(data);
  expect(await readCreatedSender(client(), entryPoint, '0x1234')).toBe(sender);
});

test.each([
  ['an EntryPoint that says why it makes none', reverted(failed)],
  ['a revert that says nothing', reverted('0x')],
  ['something at the address that is no EntryPoint', { result: '0x' }],
])('there is none with %s', async (_, given) => {
  answer = given;
  expect(await readCreatedSender(client(), entryPoint, '0x1234')).toBeUndefined();
});

test('a node that keeps revert data to itself does not tell, and nothing is known', async () => {
  answer = reverted();
  await expect(readCreatedSender(client(), entryPoint, '0x1234')).rejects.toThrow();
  const reader = createAccountReader({ client: client(), known: undefined, clock: { now: () => 0 } });
  const operation = {
    entryPointVersion: '0.7',
    sender,
    nonce: 0n,
    initCode: '0x',
    callData: '0x',
    signature: '0x',
  } as const;
  const reading = await reader.read(
    { ...operation, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
    entryPoint,
    undefined,
  );
  expect(reading).toMatchObject({ ok: false });
});
