import { createPublicClient, http, padHex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readImplementation } from '../../core/node/account-codes/create-account-reader.ts';
import { type RpcServer, respond, startRpcServer } from '../support/servers/json-rpc-server.ts';

const proxy = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const implementation = '0x0000000071727De22E5E9d8BAf0edAc6f37da032';
/** Where EIP-1967 has it: `keccak256('eip1967.proxy.implementation') - 1`. */
const slot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';

let node: RpcServer;
let answer: object = {};
beforeAll(async () => {
  node = await startRpcServer((request, response) => {
    const { id, method, params } = request as { id: number; method: string; params: unknown[] };
    const isAsked = method === 'eth_getStorageAt' && JSON.stringify(params) === JSON.stringify([proxy, slot, 'latest']);
    respond(response, { jsonrpc: '2.0', id, ...(isAsked ? answer : { error: { code: -32601, message: 'no' } }) });
  });
});
afterAll(() => node.close());

async function read(given: object) {
  answer = given;
  const client = createPublicClient({ transport: http(node.url, { retryCount: 0 }) });
  const found = await readImplementation(client, proxy);
  return found.ok ? found.value : found.refusal.reason;
}

test('what a proxy runs is read from its slot; a contract with nothing there is none, and an error of the node is said', async () => {
  expect(await read({ result: padHex(implementation, { size: 32 }) })).toBe(implementation);
  expect(await read({ result: padHex('0x', { size: 32 }) })).toBeUndefined();
  expect(await read({ error: { code: -32000, message: 'busy' } })).toBe('CHAIN_UNAVAILABLE');
});
