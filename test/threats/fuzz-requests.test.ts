import { Agent, request as httpRequest } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { managementRouter } from '@tollfree/contract/router';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bothHeaders, createLogKeeper, rpcPath, startTestGateway } from '../support/gateway/start-test-gateway.ts';
import { hostileTexts } from './hostile-values.ts';

/** How many requests are made up; CONTRIBUTING says how to ask for more. */
const requests = Math.min(Number(process.env.FUZZ_REQUESTS ?? 300), 1_000_000);
const perRound = 5_000;
/** What the heap may grow by between the first round and the last, in bytes. */
const maxGrowth = 32 * 1024 * 1024;

const wide = { requestBurst: 10_000_000, managementBurst: 10_000_000, failedLoginsPerMinute: 10_000_000 };
const fields = [
  ...['address', 'abi', 'name', 'type', 'version', 'chainId', 'webhookId', 'webhookUrl', 'requestType', 'active'],
  ...[
    'whitelistedMethods',
    'paymasterId',
    'signature',
    'events',
    'tankLow',
    'url',
    'notificationId',
    'params',
    'method',
  ],
  ...[
    'policy',
    'limits',
    'pauses',
    'allowedSenders',
    'id',
    'jsonrpc',
    'sender',
    'mode',
    'tokenInfo',
    'sponsorshipInfo',
  ],
  ...['length', 'size', 'toString', 'valueOf', 'then', 'toJSON', 'constructor', 'hasOwnProperty'],
];

/** JSON as text, so that `__proto__` and numbers beyond a double stay what they are. */
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.constantFrom(...hostileTexts),
    fc.json({ maxDepth: 2 }),
    fc.array(tie('json'), { maxLength: 5 }).map((items) => `[${items.join()}]`),
    fc
      .array(fc.tuple(fc.constantFrom(...fields, '__proto__'), tie('json')), { maxLength: 6 })
      .map((members) => `{${members.map(([name, value]) => `"${name}":${value}`).join()}}`),
  ),
}));
const rpcMethod = fc.constantFrom(
  'pm_getFeeQuoteOrData',
  'pm_sponsorUserOperation',
  'pimlico_getTokenQuotes',
  'length',
);
const rpcBody = fc
  .tuple(rpcMethod, json, json)
  .map(([method, id, params]) => `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`);

const routes = Object.values(managementRouter).flatMap((part): { method: string; path: string }[] =>
  Object.values(part),
);
const toManagement = fc.record({
  route: fc.constantFrom(...routes),
  part: fc.constantFrom('a', '__proto__', '%00', '%F0%9F', '..%2f', 'length'),
  query: fc.constantFrom('', '?limit[length]=1', '?cursor=1&cursor=2', '?__proto__=1', '?%'),
  body: fc.oneof({ weight: 9, arbitrary: json }, { weight: 1, arbitrary: fc.string() }),
});
const anyRequest = fc.oneof(
  toManagement.map(({ route: { method, path }, part, query, body }) => ({
    method,
    path: path.replace(/:\w+/g, part) + query,
    body,
  })),
  fc.oneof(rpcBody, json, fc.string()).map((body) => ({ method: 'POST', path: rpcPath, body })),
);

test(
  `${requests} made-up requests: no fault, and the service is still there`,
  async () => {
    const { logger, lines } = createLogKeeper();
    const { url } = await startTestGateway({ limits: wide, logger });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const statusOf = (path: string, method: string, body = '') =>
      new Promise<number>((resolve, reject) => {
        const length = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
        const sent = httpRequest(`${url}${path}`, { method, agent, headers: { ...bothHeaders, ...length } }, (answer) =>
          answer.resume().on('end', () => resolve(answer.statusCode ?? 0)),
        );
        sent.on('error', reject).end(body);
      });
    const heaps: number[] = [];
    for (let done = 0; done < requests; done += perRound) {
      const numRuns = Math.min(perRound, requests - done);
      await fc.assert(
        fc.asyncProperty(anyRequest, async ({ method, path, body }) => {
          const status = await statusOf(path, method, body);
          expect(status).toBeGreaterThanOrEqual(200);
          // 500 is also what the stand-in of the core refuses with; a fault is logged with its error.
          expect(lines.filter(({ fields }) => 'err' in fields)).toEqual([]);
          lines.length = 0;
        }),
        { numRuns },
      );
      heaps.push(usedHeap());
    }
    expect(await statusOf('/livez', 'GET')).toBe(200);
    expect((heaps.at(-1) ?? 0) - (heaps[0] ?? 0)).toBeLessThan(maxGrowth);
    agent.destroy();
  },
  60_000 + requests * 20,
);

/** Bytes of the heap that are in use once what is not has been collected. */
function usedHeap(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
