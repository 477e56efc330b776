import { beforeAll, describe, expect, test } from 'vitest';
import { callRpc, newOperation, postRpc, type Rpc, resultOf, sponsored } from '../support/interface/rpc-calls.ts';
import { sendHttp } from '../support/interface/send-http.ts';
import type { RpcBench } from './rpc-bench.ts';

/** Decision 3: the endpoint as JSON-RPC. */
export function describeProtocol({ service, url, paymaster }: RpcBench): void {
  let params: readonly unknown[];
  beforeAll(async () => {
    params = [await newOperation(service().devnet, '0.7'), sponsored];
  });
  const method = 'pm_getFeeQuoteOrData';
  const request = (fields: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params, ...fields });

  describe('decision 3: addresses', () => {
    test.each(['v1', 'v2'])('POST /api/%s/{chainId}/{apiKey} serves both methods', async (version) => {
      const { chainId, apiKey } = paymaster();
      const address = `${service().url}/api/${version}/${chainId}/${apiKey}`;
      expect(resultOf(await callRpc(address, params)).mode).toBe('SPONSORED');
      expect(resultOf(await callRpc(address, params, 'pm_sponsorUserOperation')).mode).toBe('SPONSORED');
    });

    test('CORS is open: a preflight and an answer allow any origin', async () => {
      const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' };
      const preflight = await sendHttp(url(), { method: 'OPTIONS', headers });
      expect(preflight.status).toBe(204);
      expect(preflight.headers['access-control-allow-origin']).toBe('*');
      expect(preflight.headers['access-control-allow-methods']).toContain('POST');
      expect((await postRpc(url(), '{}')).headers['access-control-allow-origin']).toBe('*');
    });

    test('GET is 405', async () => {
      const answer = await sendHttp(url());
      expect([answer.status, answer.json]).toEqual([405, { statusCode: 405, message: 'Method not allowed' }]);
    });
  });

  describe('decision 3: envelope', () => {
    test.each(['2.0', '2.0.0', '2'])('jsonrpc %s is taken, the answer says 2.0', async (jsonrpc) => {
      resultOf(await postRpc(url(), request({ jsonrpc })));
    });

    test.each(['a', '', '1', 0, 1, -7, 2 ** 53 - 1, 1.5, null])('id %j is echoed as it came', async (id) => {
      const answer = await postRpc(url(), request({ id }));
      resultOf(answer);
      expect((answer.json as Rpc).id).toBe(id);
      const refused = await postRpc(url(), request({ id, method: 'pm_nothing' }));
      expect((refused.json as Rpc).id).toBe(id);
    });

    test.each<[string, string, number]>([
      ['no JSON', '{"jsonrpc":', -32700],
      ['an empty body', '', -32700],
      ['a text', '"pm_getFeeQuoteOrData"', -32600],
      ['null', 'null', -32600],
      ['an empty batch', '[]', -32600],
      ['no id', '{"jsonrpc":"2.0","method":"pm_getFeeQuoteOrData","params":[]}', -32600],
      ['an object as id', '{"jsonrpc":"2.0","id":{},"method":"pm_getFeeQuoteOrData","params":[]}', -32600],
      ['an id beyond all numbers', '{"jsonrpc":"2.0","id":1e400,"method":"pm_getFeeQuoteOrData"}', -32600],
      ['no jsonrpc', '{"id":1,"method":"pm_getFeeQuoteOrData","params":[]}', -32600],
      ['jsonrpc 1.0', '{"jsonrpc":"1.0","id":1,"method":"pm_getFeeQuoteOrData","params":[]}', -32600],
      ['no method', '{"jsonrpc":"2.0","id":1,"params":[]}', -32600],
    ])('%s is %s %i with HTTP 400', async (_name, text, code) => {
      const answer = await postRpc(url(), text);
      expect([answer.status, (answer.json as Rpc).error?.code]).toEqual([400, code]);
    });

    test.each(['pm_nothing', 'eth_accounts', '__proto__', 'toString'])(
      'the unknown method %s is -32601 with HTTP 200',
      async (name) => {
        const answer = await postRpc(url(), request({ method: name }));
        expect([answer.status, (answer.json as Rpc).error?.code]).toEqual([200, -32601]);
      },
    );

    test.each(['pm_getPaymasterStubData', 'pm_getPaymasterData'])(
      'an error of %s comes with HTTP 200, as ERC-7677 clients need it',
      async (name) => {
        const answer = await postRpc(url(), request({ method: name, params: ['nonsense'] }));
        expect([answer.status, Object.keys(answer.json as Rpc).sort()]).toEqual([200, ['error', 'id', 'jsonrpc']]);
      },
    );

    test.each([[undefined], [null], ['a'], [{}], [[]], [[{}]], [['a', 'b']], [[{}, 'a']], [[{}, null]]])(
      'params %j are -32602',
      async (sent) => {
        const answer = await postRpc(url(), request({ params: sent }));
        expect([answer.status, (answer.json as Rpc).error?.code]).toEqual([400, -32602]);
      },
    );
  });

  describe('decision 3: batches', () => {
    test('a batch of one is answered with an array of one', async () => {
      const answer = await postRpc(url(), [request({ id: 'only' })]);
      expect(answer.status).toBe(200);
      expect(answer.json).toEqual([expect.objectContaining({ id: 'only', result: expect.anything() })]);
    });

    test('good and bad elements are each answered with their own id, in order', async () => {
      const batch = [request({ id: 1 }), null, request({ id: 'x', method: 'pm_nothing' }), 5, request({ id: 3 })];
      const answers = (await postRpc(url(), batch)).json as Rpc[];
      expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
        [1, undefined],
        [null, -32600],
        ['x', -32601],
        [null, -32600],
        [3, undefined],
      ]);
    });

    test('50 requests are answered, 51 are -32600', async () => {
      const many = Array.from({ length: 51 }, (_, id) => request({ id, method: 'pm_nothing' }));
      expect((await postRpc(url(), many.slice(0, 50))).json).toHaveLength(50);
      const answer = await postRpc(url(), many);
      expect([answer.status, (answer.json as Rpc).error?.code]).toEqual([400, -32600]);
    });
  });
}
