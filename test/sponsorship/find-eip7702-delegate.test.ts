import type { ServerResponse } from 'node:http';
import { createPublicClient, getAddress, http } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { UserOperation } from '../../core/domain/user-operation.ts';
import { delegationCode, eip7702Marker } from '../../core/evm/entry-point/eip7702.ts';
import { findEip7702Delegate } from '../../core/sponsorship/identify/read-operation.ts';
import {
  type RpcRequest,
  type RpcServer,
  respond,
  respondResult,
  startRpcServer,
} from '../support/servers/json-rpc-server.ts';

const sender = getAddress(`0x${'5e'.repeat(20)}`);
const delegate = getAddress(`0x${'de'.repeat(20)}`);
const other = getAddress(`0x${'0e'.repeat(20)}`);
const chainId = 31_337;
const eip7702Auth = { address: other, chainId: BigInt(chainId), nonce: 0n, r: 0n, s: 0n, yParity: 0 } as const;

/** The other side: a node that says of any account that it has this code. */
let node: RpcServer;
let answer: (request: RpcRequest, response: ServerResponse) => void;
let asked: number;
beforeAll(async () => {
  node = await startRpcServer((request, response) => answer(request, response));
});
afterAll(() => node.close());
beforeEach(() => {
  asked = node.requests.length;
});

function find(change: Partial<UserOperation>, hasOpenDeployment = async () => false) {
  const operation: UserOperation = {
    entryPointVersion: '0.8',
    sender,
    nonce: 0n,
    initCode: '0x',
    callData: '0x',
    maxFeePerGas: 1n,
    maxPriorityFeePerGas: 1n,
    signature: '0x',
    ...change,
  };
  const client = createPublicClient({ transport: http(node.url, { retryCount: 0 }) });
  return findEip7702Delegate({ hasOpenDeployment }, { client, config: { chainId } }, { operation, givenGas: {} });
}

const hasCode = (code: string, balance = '0x1', nonce = '0x0') => {
  const answers: Readonly<Record<string, string>> = { eth_getBalance: balance, eth_getTransactionCount: nonce };
  answer = (request, response) => respondResult(response, request, answers[request.method] ?? code);
};

describe('the delegate', () => {
  test('is no one of an operation without marker and authorization, and the chain is not asked', async () => {
    const found = await find({});
    expect(found.ok && found.value.operation).not.toHaveProperty('eip7702Delegate');
    expect(node.requests.length).toBe(asked);
  });

  test.each([BigInt(chainId), 0n])('is the authorized one for chain id %s of a sender without code', async (id) => {
    hasCode('0x');
    for (const initCode of ['0x', eip7702Marker] as const) {
      const operation = { initCode, eip7702Auth: { ...eip7702Auth, chainId: id } };
      const found = await find(operation);
      expect(found).toMatchObject({
        ok: true,
        value: { operation: { ...operation, eip7702Delegate: other, paysAuthorization: true } },
      });
    }
  });

  test.each([
    ['has nothing yet', '0x0', 0n, true],
    ['owns a coin', '0x1', 0n, false],
    ['has sent a transaction', '0x0', 1n, false],
  ])(
    'is of a sender without code that %s: whether that is no account yet is told',
    async (_, balance, nonce, isFresh) => {
      hasCode('0x', balance, `0x${nonce.toString(16)}`);
      const found = await find({ eip7702Auth: { ...eip7702Auth, nonce } });
      expect(found.ok && found.value.operation.paysAuthorization).toBe(true);
      expect(found.ok && found.value.operation.isFreshSender === true).toBe(isFresh);
    },
  );

  test('is authorized, and not paid for, while another operation that delegates the sender is open', async () => {
    hasCode('0x');
    const found = await find({ nonce: 7n, eip7702Auth }, async () => true);
    expect(found).toMatchObject({ ok: true, value: { operation: { eip7702Auth, eip7702Delegate: other } } });
    expect(found.ok && found.value.operation).not.toHaveProperty('paysAuthorization');
  });

  test('is there already where the sender has delegated to the authorized one, and no authorization is left', async () => {
    hasCode(delegationCode(other));
    const found = await find({ eip7702Auth });
    expect(found).toMatchObject({
      ok: true,
      value: { operation: { eip7702Delegate: other, repeatsAuthorization: true } },
    });
    expect(found.ok && found.value.operation).not.toHaveProperty('eip7702Auth');
    expect(found.ok && found.value.operation).not.toHaveProperty('paysAuthorization');
  });

  test('is there already, and an authorization with another nonce is one that no bundler carries', async () => {
    hasCode(delegationCode(other));
    const found = await find({ eip7702Auth: { ...eip7702Auth, nonce: 9n } });
    expect(found).toMatchObject({ ok: true, value: { operation: { eip7702Delegate: other } } });
    expect(found.ok && found.value.operation).not.toHaveProperty('repeatsAuthorization');
  });

  test('is the authorized one next to the one that it replaces, and the authorization is sent again', async () => {
    hasCode(delegationCode(delegate));
    const found = await find({ eip7702Auth });
    expect(found).toMatchObject({
      ok: true,
      value: {
        operation: { eip7702Auth, eip7702Delegate: other, eip7702Replaces: delegate, repeatsAuthorization: true },
      },
    });
    expect(found.ok && found.value.operation).not.toHaveProperty('paysAuthorization');
  });

  test('is that of the code on chain for a marker alone, with one request', async () => {
    hasCode(delegationCode(delegate));
    const found = await find({ initCode: `${eip7702Marker}abcd` });
    expect(found).toMatchObject({ ok: true, value: { operation: { eip7702Delegate: delegate } } });
    expect(node.requests.slice(asked)).toMatchObject([{ method: 'eth_getCode', params: [sender, 'latest'] }]);
  });
});

describe('refused is', () => {
  test.each([0n, 2n])('an authorization with nonce %s where the sender has made one transaction', async (nonce) => {
    for (const code of ['0x', delegationCode(delegate)]) {
      hasCode(code, '0x1', '0x1');
      expect(await find({ eip7702Auth: { ...eip7702Auth, nonce } })).toMatchObject({
        refusal: {
          reason: 'INVALID_PARAMS',
          field: 'eip7702Auth.nonce',
          message: expect.stringContaining('must be 1'),
        },
      });
    }
  });

  test.each([1n, 2n ** 255n])('an authorization for chain %s', async (foreign) => {
    expect(await find({ eip7702Auth: { ...eip7702Auth, chainId: foreign } })).toMatchObject({
      refusal: { reason: 'INVALID_PARAMS', field: 'eip7702Auth.chainId' },
    });
  });

  test.each([
    ['no code', '0x'],
    ['the code of a contract', `0x60${'00'.repeat(22)}`],
    ['code that only begins like a delegation', `${delegationCode(delegate)}00`],
    ['a delegation cut short', delegationCode(delegate).slice(0, -2)],
  ])('the marker alone of a sender with %s', async (_, code) => {
    hasCode(code);
    expect(await find({ initCode: eip7702Marker })).toMatchObject({
      refusal: { reason: 'INVALID_PARAMS', field: 'eip7702Auth' },
    });
  });

  test.each([
    ['a contract', `0x60${'00'.repeat(22)}`],
    ['code that only begins like a delegation', `${delegationCode(delegate)}00`],
  ])('an authorization of a sender that has %s', async (_, code) => {
    hasCode(code);
    expect(await find({ eip7702Auth })).toMatchObject({
      refusal: { reason: 'INVALID_PARAMS', field: 'eip7702Auth' },
    });
  });

  test('an authorization while the node does not return the balance of its sender', async () => {
    answer = (request, response) =>
      request.method === 'eth_getBalance'
        ? respond(response, 'secret trouble', 503)
        : respondResult(response, request, request.method === 'eth_getTransactionCount' ? '0x0' : '0x');
    const found = await find({ eip7702Auth });
    expect(found).toMatchObject({
      refusal: { reason: 'CHAIN_UNAVAILABLE', message: expect.stringContaining('The balance of the sender') },
    });
  });

  test('the marker alone while the node does not respond, without a word of the node', async () => {
    answer = (_, response) => respond(response, 'secret trouble', 503);
    const found = await find({ initCode: eip7702Marker });
    expect(found).toMatchObject({ refusal: { reason: 'CHAIN_UNAVAILABLE' } });
    expect(JSON.stringify(found)).not.toMatch(/secret|127\.0\.0\.1/);
  });
});
