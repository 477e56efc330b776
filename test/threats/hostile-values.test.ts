import { managementRouter } from '@tollfree/contract/router';
import { PartialUserOperationSchema } from '@tollfree/contract/rpc/user-operation';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Answer, bothHeaders, rpcPath, send, startTestGateway } from '../support/gateway/start-test-gateway.ts';
import { createRecordingLogger, type LogLine } from '../support/logging/recording-logger.ts';
import { hostileTexts } from './hostile-values.ts';

/** Sends them 16 at a time and hands back each with its answer. */
async function sendAll(
  items: readonly string[],
  sendOne: (item: string) => Promise<Answer>,
): Promise<readonly { item: string; answer: Answer }[]> {
  const answered: { item: string; answer: Answer }[] = [];
  for (let from = 0; from < items.length; from += 16) {
    const some = items.slice(from, from + 16);
    const answers = await Promise.all(some.map(async (item) => ({ item, answer: await sendOne(item) })));
    answered.push(...answers);
  }
  return answered;
}

const failuresIn = (lines: readonly LogLine[]) => lines.filter(({ fields }) => 'err' in fields);
const wide = { requestBurst: 1_000_000, managementBurst: 1_000_000, failedLoginsPerMinute: 1_000_000 };

type Route = { method: string; path: string; body?: unknown; query?: unknown };
const routes: Route[] = Object.values(managementRouter).flatMap((part) => Object.values(part));

function fieldsOf(schema: unknown): readonly string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  return [];
}

/** The bodies of one route: each value alone, and in each field, and one level further down in each field. */
function bodiesOf(route: Route): readonly string[] {
  const inFields = fieldsOf(route.body).flatMap((field) =>
    [...hostileTexts, ...hostileTexts.slice(0, 9).map((text) => `[${text}]`)].map((text) => `{"${field}":${text}}`),
  );
  return [...hostileTexts, ...inFields];
}

const pathOf = ({ path }: Route) => path.replace(/:\w+/g, 'a');

const queries = ['?__proto__=1&limit[length]=1', '?limit=1&limit=2&cursor=&cursor=', '?webhookId[]=1', '?%E0'];

describe('values that pose as something else', () => {
  test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', async (_name, route) => {
    const { logger, lines } = createRecordingLogger();
    const { url } = await startTestGateway({ limits: wide, logger });
    const address = `${url}${pathOf(route)}`;
    const answers = [
      ...(await sendAll(bodiesOf(route), (text) => send(address, route.method, { headers: bothHeaders, text }))),
      ...(await sendAll(queries, (query) => send(`${address}${query}`, route.method, { headers: bothHeaders }))),
    ];
    expect(answers.filter(({ answer }) => answer.status >= 500)).toEqual([]);
    expect(failuresIn(lines)).toEqual([]);
    expect((await send(`${url}/livez`, 'GET')).status).toBe(200);
  });

  test('a text with hostile length is named as what it should be', async () => {
    const { url } = await startTestGateway({ limits: wide });
    const text = '{"address":{"length":{"toString":null,"valueOf":null}}}';
    const answer = await send(`${url}/api/v2/public/sdk/smart-contract`, 'DELETE', { headers: bothHeaders, text });
    expect([answer.status, answer.body]).toEqual([400, { statusCode: 400, message: 'address must be a string' }]);
  });
});

const methods = [
  'pm_getFeeQuoteOrData',
  'pm_sponsorUserOperation',
  'pm_getPaymasterStubData',
  'pm_getPaymasterData',
  'pm_supportedEntryPoints',
  'pimlico_getTokenQuotes',
  'pimlico_getSupportedTokens',
];
const contextFields = [
  'mode',
  'calculateGasLimits',
  'expiryDuration',
  'sponsorshipInfo',
  'tokenInfo',
  'tokens',
  'token',
];
const nestedContexts = ['webhookData', 'smartAccountInfo', 'tokenList', 'preferredToken', 'feeTokenAddress'];

/** Params with one hostile value at each place that a method reads. */
function paramsWith(text: string): readonly string[] {
  const operation = Object.keys(PartialUserOperationSchema.shape).map((field) => `[{"${field}":${text}},{}]`);
  const context = contextFields.map((field) => `[{},{"${field}":${text}}]`);
  const nested = nestedContexts.flatMap((field) => [
    `[{},{"sponsorshipInfo":{"${field}":${text}},"tokenInfo":{"${field}":${text}}}]`,
    `[{"eip7702Auth":{"address":${text},"chainId":${text}}},{}]`,
  ]);
  const places = [0, 1, 2, 3].map((location) => `[${['{}', '{}', '{}', '{}'].with(location, text).join()}]`);
  return [text, `[{"tokens":${text}},${text},${text}]`, ...places, ...operation, ...context, ...nested];
}

describe('RPC params that pose as something else', () => {
  test.each(methods)('%s', async (method) => {
    const { logger, lines } = createRecordingLogger();
    const { url } = await startTestGateway({ limits: wide, logger });
    const answers = await sendAll(hostileTexts.flatMap(paramsWith), (params) =>
      send(`${url}${rpcPath}`, 'POST', { text: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}` }),
    );
    expect(answers.filter(({ answer }) => answer.body === undefined)).toEqual([]);
    expect(failuresIn(lines)).toEqual([]);
    expect((await send(`${url}/livez`, 'GET')).status).toBe(200);
  });
});
