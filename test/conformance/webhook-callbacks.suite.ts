import { once } from 'node:events';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { beforeEach, describe, expect, test } from 'vitest';
import { incrementCall } from '../../server/dev/demo-operations.ts';
import {
  callRpc,
  newOperation,
  refusalOf,
  resultOf,
  smartAccountInfo,
  sponsored,
} from '../support/interface/rpc-calls.ts';
import { callManagement, dataOf } from '../support/interface/tenant.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { answerJson, approve, type ReceivedRequest, startWebhookServer } from '../support/servers/webhook-server.ts';
import type { RpcBench } from './rpc-bench.ts';

const refusedByWebhook = [422, -32013, 'WEBHOOK_REFUSED'];
const unavailable = [422, -32013, 'WEBHOOK_UNAVAILABLE'];
const refuse = answerJson({ arePoliciesVerified: false });
type Answer = Parameters<typeof startWebhookServer>[0];

function dataOfCall({ request }: ReceivedRequest): string | null {
  return new URL(request.url ?? '', 'http://hook.example').searchParams.get('data');
}

function signedHeaders({ request }: ReceivedRequest): Record<string, string> {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  return Object.fromEntries(names.map((name) => [name, String(request.headers[name])]));
}

/** Section 6 of the interface and decision 5, with real receivers. */
export function describeWebhookCallbacks({ service }: RpcBench): void {
  let headers: Readonly<Record<string, string>>;
  let rpcUrl: string;
  let operation: unknown;
  beforeEach(async () => {
    const { authToken } = await service().issueAccount();
    const paymaster = await service().fundedPaymaster(authToken, '0.7');
    headers = { authToken, apiKey: paymaster.apiKey };
    rpcUrl = paymaster.rpcUrl;
    operation = await newOperation(service().devnet, '0.7');
  });
  const register = async (webhookUrl: string, requestType: 'GET' | 'POST' = 'POST') => {
    const request = { headers, json: { webhookUrl, requestType } };
    return (dataOf(await callManagement(service(), 'POST', '/webhook', request)) as { webhookId: string }).webhookId;
  };
  const startHook = async (answer: Answer, requestType?: 'GET' | 'POST') => {
    const hook = await startWebhookServer(answer);
    return { ...hook, webhookId: await register(hook.url, requestType) };
  };
  const sponsor = (sponsorshipInfo: object = {}, context: object = {}) =>
    callRpc(rpcUrl, [
      operation,
      { ...sponsored, sponsorshipInfo: { smartAccountInfo, ...sponsorshipInfo }, ...context },
    ]);
  const webhookData = { user: 'Zoë & co?', cart: [1, 2.5, { deep: null }], __proto__x: true };

  describe('6 webhook callback', () => {
    test('POST: the body is an object with the one field data, the webhookData of the request', async () => {
      const hook = await startHook(approve);
      resultOf(await sponsor({ webhookData }));
      const [received] = hook.received;
      expect(received?.request.method).toBe('POST');
      expect(received?.request.headers['content-type']).toBe('application/json');
      expect(JSON.parse(received?.body ?? '')).toEqual({ data: webhookData });
    });

    test('GET: the webhookData is the query parameter data, next to what the URL already has', async () => {
      const server = await startWebhookServer(approve);
      await register(`${server.url}?tenant=7`, 'GET');
      resultOf(await sponsor({ webhookData }));
      const [received] = server.received;
      if (received === undefined) throw new Error('The webhook was not called.');
      expect([received.request.method, received.body]).toEqual(['GET', '']);
      expect(received.request.url).toMatch(/^\/hook\?tenant=7&data=/);
      expect(JSON.parse(dataOfCall(received) ?? '')).toEqual(webhookData);
    });

    test.each(['GET', 'POST'] as const)('arePoliciesVerified decides (%s)', async (requestType) => {
      let arePoliciesVerified = true;
      await startHook((response) => answerJson({ arePoliciesVerified })(response, {} as ReceivedRequest), requestType);
      resultOf(await sponsor());
      arePoliciesVerified = false;
      expect(refusalOf(await sponsor())).toEqual(refusedByWebhook);
    });
  });

  describe('decision 5: which webhooks are asked', () => {
    test('a request without webhookData is treated as carrying {}', async () => {
      const hook = await startHook(approve);
      const asGet = await startHook(approve, 'GET');
      resultOf(await sponsor());
      expect(hook.received.map(({ body }) => body)).toEqual(['{"data":{}}']);
      expect(asGet.received.map(dataOfCall)).toEqual(['{}']);
    });

    test('an inactive webhook is not called and does not block', async () => {
      const hook = await startHook(refuse);
      const json = { webhookId: hook.webhookId, active: false };
      dataOf(await callManagement(service(), 'PATCH', '/webhook', { headers, json }));
      resultOf(await sponsor());
      expect(hook.received).toEqual([]);
    });

    test('several must all agree', async () => {
      await startHook(approve);
      resultOf(await sponsor());
      await startHook(refuse);
      expect(refusalOf(await sponsor())).toEqual(refusedByWebhook);
    });

    test('several are called at once: each answers only when the other was called too', async () => {
      const arrivals: (() => void)[] = [];
      const meet: Answer = (response, received) => {
        arrivals.push(() => approve(response, received));
        if (arrivals.length === 2) for (const arrive of arrivals) arrive();
      };
      await startHook(meet);
      await startHook(meet);
      resultOf(await sponsor());
    });

    test('rules that need no I/O come before webhooks', async () => {
      const hook = await startHook(approve);
      const { devnet } = service();
      operation = await newOperation(devnet, '0.7', [{ ...incrementCall(devnet), to: devnet.tokenRecipient }]);
      expect(refusalOf(await sponsor())).toEqual([422, -32013, 'CONTRACT_NOT_REGISTERED']);
      expect(hook.received).toEqual([]);
    });

    test('in token mode no webhook is asked', async () => {
      const hook = await startHook(refuse);
      const tokenInfo = { preferredToken: '', tokenList: [] };
      resultOf(await sponsor({}, { mode: 'ERC20', tokenInfo }));
      expect(hook.received).toEqual([]);
    });

    test('without mode a refusal is answered with token quotes', async () => {
      await startHook(refuse);
      expect(resultOf(await sponsor({}, { mode: undefined })).mode).toBe('ERC20');
    });
  });

  describe('decision 5: answers that are none', () => {
    const endless: Answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"arePoliciesVerified":true,"more":"');
      const pump = () => {
        while (!response.destroyed && response.write('a'.repeat(4_096)));
      };
      response.on('drain', pump);
      pump();
    };
    const answers: readonly (readonly [string, Answer])[] = [
      ['500 with a true body', answerJson({ arePoliciesVerified: true }, 500)],
      ['no JSON', (response) => response.end('true')],
      ['a cut connection', (response) => response.destroy()],
      ['an endless body', endless],
      ['404 with a true body', answerJson({ arePoliciesVerified: true }, 404)],
      ['an empty body', (response) => response.end()],
      ['an array', answerJson([{ arePoliciesVerified: true }])],
      ['another type', answerJson({ arePoliciesVerified: 'true' })],
      ['another field', answerJson({ verified: true })],
    ];
    test.each(rowsOfRun(answers, 4))('%s is WEBHOOK_UNAVAILABLE', async (_name, answer) => {
      const hook = await startHook(answer);
      expect(refusalOf(await sponsor())).toEqual(unavailable);
      expect(hook.received).toHaveLength(1);
    });

    test('an answer that does not come in time is WEBHOOK_UNAVAILABLE', async () => {
      let hungUp: Promise<unknown> | undefined;
      const hook = await startHook((response) => {
        hungUp = once(response, 'close');
      });
      expect(refusalOf(await sponsor())).toEqual(unavailable);
      expect(hook.received).toHaveLength(1);
      await hungUp;
    });

    test('no one listening is WEBHOOK_UNAVAILABLE', async () => {
      await register('http://127.0.0.1:1/hook');
      expect(refusalOf(await sponsor())).toEqual(unavailable);
    });

    test.each(rowsOfRun([307, 301, 302, 303, 308], 1))('a redirect (%i) are not followed', async (status) => {
      const destination = await startWebhookServer(approve);
      await startHook((response) => response.writeHead(status, { location: destination.url }).end());
      expect(refusalOf(await sponsor())).toEqual(unavailable);
      expect(destination.received).toEqual([]);
    });
  });

  describe('decision 5: signature', () => {
    const readSecret = async (webhookId: string, method = 'GET') => {
      const answer = await callManagement(service(), method, `/webhook/${webhookId}/secret`, { headers });
      return (dataOf(answer) as { secret: string }).secret;
    };

    test.each(['GET', 'POST'] as const)(
      '%s carries a Standard Webhooks signature of the webhook’s secret',
      async (type) => {
        const hook = await startHook(approve, type);
        resultOf(await sponsor({ webhookData }));
        const [received] = hook.received;
        if (received === undefined) throw new Error('The webhook was not called.');
        const payload = type === 'GET' ? dataOfCall(received) : received.body;
        const verifier = new StandardWebhook(await readSecret(hook.webhookId));
        expect(() => verifier.verify(payload ?? '', signedHeaders(received))).not.toThrow();
        expect(() => verifier.verify(`${payload} `, signedHeaders(received))).toThrow();
      },
    );

    test('each webhook has a secret of its own, which its owner can rotate', async () => {
      const first = await startHook(approve);
      const second = await startHook(approve);
      const before = await readSecret(first.webhookId);
      expect(await readSecret(second.webhookId)).not.toBe(before);
      const rotated = await readSecret(first.webhookId, 'POST');
      expect(rotated).not.toBe(before);
      resultOf(await sponsor());
      const [received] = first.received;
      if (received === undefined) throw new Error('The webhook was not called.');
      const verify = (secret: string) => new StandardWebhook(secret).verify(received.body, signedHeaders(received));
      expect(() => verify(rotated)).not.toThrow();
      expect(() => verify(before)).toThrow();
    });
  });
  describe('a test call', () => {
    const tried = async (webhookId: string) =>
      dataOf(await callManagement(service(), 'POST', `/webhook/${webhookId}/test`, { headers }));
    const answersOf = async (webhookId: string, query = '') =>
      dataOf(await callManagement(service(), 'GET', `/webhook/${webhookId}/answers${query}`, { headers })) as {
        answers: object[];
        nextCursor?: string;
      };
    const setActive = (webhookId: string, active: boolean) =>
      callManagement(service(), 'PATCH', '/webhook', { headers, json: { webhookId, active } });

    test('says that it is one, signed as any, also to an inactive webhook, and answers what came of it', async () => {
      const hook = await startHook(refuse);
      await setActive(hook.webhookId, false);
      expect(await tried(hook.webhookId)).toEqual({
        askedAt: expect.any(Number),
        durationMs: expect.any(Number),
        verdict: 'refused',
        status: 200,
        isTest: true,
      });
      const [received] = hook.received;
      if (received === undefined) throw new Error('The webhook was not called.');
      expect(JSON.parse(received.body)).toMatchObject({ data: { tollfreeTest: true } });
      const answer = await callManagement(service(), 'GET', `/webhook/${hook.webhookId}/secret`, { headers });
      const { secret } = dataOf(answer) as { secret: string };
      expect(() => new StandardWebhook(secret).verify(received.body, signedHeaders(received))).not.toThrow();
    });

    test('that fails, however often, keeps no sponsorship from asking; both kinds are in the log', async () => {
      let status = 503;
      const hook = await startHook((response, received) =>
        answerJson({ arePoliciesVerified: true }, status)(response, received),
      );
      for (let count = 0; count < 6; count += 1) {
        expect(await tried(hook.webhookId)).toMatchObject({ verdict: 'unavailable', problem: 'answered 503', status });
      }
      status = 200;
      resultOf(await sponsor());
      const { answers, nextCursor } = await answersOf(hook.webhookId, '?limit=2');
      expect(answers).toMatchObject([
        { verdict: 'approved', status: 200, isTest: false },
        { verdict: 'unavailable', status: 503, problem: 'answered 503', isTest: true },
      ]);
      const older = await answersOf(hook.webhookId, `?cursor=${nextCursor}`);
      expect(older.answers).toHaveLength(5);
      expect(older.nextCursor).toBeUndefined();
    });

    test('goes to no address that webhooks may not have, and tells nothing of it', async () => {
      const { core } = service();
      const hook = await startHook((response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end());
      expect(await tried(hook.webhookId)).toMatchObject({
        verdict: 'unavailable',
        problem: 'answered 302, and redirects are not followed',
      });
      const missing = await core.testWebhook({ accountId: 'unknown', paymasterId: 'none', webhookId: hook.webhookId });
      expect(missing.ok).toBe(false);
      expect(hook.received).toHaveLength(1);
    });
  });
}
