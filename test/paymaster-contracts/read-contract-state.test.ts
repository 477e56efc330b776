import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { sampleOperation } from '../../core/evm/paymaster-contracts/family/preflight.ts';
import { verifyingPaymaster06 } from '../../core/evm/paymaster-contracts/verifying/verifying-paymaster-0.6.ts';
import { verifyingPaymaster07 } from '../../core/evm/paymaster-contracts/verifying/verifying-paymaster-0.7.ts';
import { createChainClient } from '../../core/node/chain-client.ts';
import { readContractState } from '../../core/sponsorship/gas/read-digest-state.ts';
import { chainConfig } from '../support/estimation/estimation-bench.ts';
import {
  type RpcRequest,
  type RpcServer,
  respond,
  respondResult,
  startRpcServer,
} from '../support/servers/json-rpc-server.ts';

let server: RpcServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const word = `0x${'7'.padStart(64, '0')}`;
const address = `0x${'ab'.repeat(20)}` as const;

async function ask(
  answer: (request: RpcRequest, response: ServerResponse) => void,
  family = verifyingPaymaster06,
): ReturnType<typeof readContractState> {
  server = await startRpcServer(answer);
  const entryPoints = { '0.6': address, '0.7': address, '0.8': address, '0.9': address };
  const config = chainConfig({ chainId: 1, rpcUrl: server.url, entryPoints });
  const location = { chainId: 1, address, entryPoint: address };
  const asked = { chain: { client: createChainClient(config), config }, contract: { family, location } };
  return readContractState(asked, sampleOperation(family));
}

describe('the state that a digest holds', () => {
  test('is the word the contract answers', async () => {
    const state = await ask((request, response) => respondResult(response, request, word));
    expect(state).toEqual({ ok: true, value: word });
  });

  test('is not asked for where no digest holds any', async () => {
    const state = await ask((request, response) => respondResult(response, request, word), verifyingPaymaster07);
    expect(state).toEqual({ ok: true, value: undefined });
    expect(server?.requests).toEqual([]);
  });

  test.each([
    ['nothing', (request: RpcRequest, response: ServerResponse) => respondResult(response, request, '0x')],
    [
      'a byte too many',
      (request: RpcRequest, response: ServerResponse) => respondResult(response, request, `${word}00`),
    ],
    ['an outage', (_request: RpcRequest, response: ServerResponse) => respond(response, 'busy', 503)],
  ])('refuses to sign on %s, without the node’s URL', async (_, answer) => {
    const state = await ask(answer);
    if (state.ok) throw new Error('it was taken');
    expect(state.refusal.reason).toBe('CHAIN_UNAVAILABLE');
    expect(state.refusal.message).not.toContain('secret-key');
  });
});
