import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import { createSponsorClient } from '../../clients/sdk/create-sponsor-client.ts';
import { SponsorshipRefusedError, TollfreeApiError, TransportError } from '../../clients/sdk/errors/errors.ts';
import { findClosedUrl, readText, startHttpDouble } from './http-double.ts';

const apiKey = 'prefix123.0f2c5b8e-0000-4000-8000-000000000000';
const operation = {
  sender: '0x00000000000000000000000000000000000000aa',
  nonce: 0n,
  callData: '0x',
  maxFeePerGas: 2n,
  maxPriorityFeePerGas: 1n,
} as const;

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'it was answered',
    (error: unknown) => error,
  );
}

function answerWith(status: number, body: string, headers: Record<string, string> = {}): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };
}

/** The three ways a client sends: fetch, Node's HTTP for the GET with a body, and fetch for JSON-RPC. */
const calls: Record<string, (url: string, timeoutMs?: number) => Promise<unknown>> = {
  'a management call': (baseUrl, timeoutMs) =>
    createManagementClient({ baseUrl, authToken: 'tf_secret', timeoutMs }).listPaymasters(),
  'the GET with a body': (baseUrl, timeoutMs) =>
    createManagementClient({ baseUrl, authToken: 'tf_secret', apiKey, timeoutMs }).listWebhooks({ webhookId: 'x' }),
  'an RPC call': (url, timeoutMs) =>
    createSponsorClient({ url: `${url}/api/v2/1/${apiKey}`, timeoutMs }).getFeeQuoteOrData(operation, {}),
};

describe.each(Object.keys(calls))('%s', (name) => {
  const call = (url: string, timeoutMs?: number) => {
    const chosen = calls[name];
    if (chosen === undefined) throw new Error(`no call is named ${name}`);
    return chosen(url, timeoutMs);
  };

  test('that a proxy answers in HTML is an unexpected answer with its status', async () => {
    const url = await startHttpDouble(answerWith(502, '<html>Bad gateway</html>', { 'content-type': 'text/html' }));
    const error = await errorOf(call(url));
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ failure: 'unexpected-answer', status: 502 });
  });

  test.each([
    ['JSON of another shape', '{"hello":"world"}'],
    ['null', 'null'],
    ['an array', '[]'],
    ['nothing', ''],
    ['half of a JSON text', '{"statusCode":200,'],
  ])('that is answered with %s is an unexpected answer', async (_, body) => {
    const url = await startHttpDouble(answerWith(200, body));
    expect(await errorOf(call(url))).toMatchObject({ failure: 'unexpected-answer', status: 200 });
  });

  test('does not follow a redirect, which would carry its credentials away', async () => {
    let followed = false;
    const elsewhere = await startHttpDouble((_request, response) => {
      followed = true;
      response.end();
    });
    const url = await startHttpDouble(answerWith(307, '', { location: elsewhere }));
    expect(await errorOf(call(url))).toMatchObject({ failure: 'unexpected-answer', status: 307 });
    expect(followed).toBe(false);
  });

  test('that gets no answer ends with a timeout', async () => {
    const url = await startHttpDouble(() => undefined);
    expect(await errorOf(call(url, 50))).toMatchObject({ name: 'TransportError', failure: 'timeout' });
  });

  test('whose answer stops in the middle ends with a timeout', async () => {
    const url = await startHttpDouble((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"statusCode":');
    });
    expect(await errorOf(call(url, 100))).toMatchObject({ name: 'TransportError', failure: 'timeout' });
  });

  test('whose connection is cut is unreachable', async () => {
    const url = await startHttpDouble((request) => request.socket.destroy());
    expect(await errorOf(call(url))).toMatchObject({ name: 'TransportError', failure: 'unreachable' });
  });

  test('to a port no one listens on is unreachable, and no error names key or token', async () => {
    const error = await errorOf(call(await findClosedUrl()));
    expect(error).toMatchObject({
      failure: 'unreachable',
      message: 'The service could not be reached (ECONNREFUSED).',
    });
    expect(JSON.stringify(error) + String(error)).not.toMatch(/tf_secret|prefix123/);
  });
});

describe('the management client', () => {
  test('keeps Retry-After of a refusal', async () => {
    const baseUrl = await startHttpDouble(
      answerWith(429, '{"statusCode":429,"message":"Too many requests"}', { 'retry-after': '7' }),
    );
    const error = await errorOf(createManagementClient({ baseUrl, authToken: 'tf_x' }).listPaymasters());
    expect(error).toBeInstanceOf(TollfreeApiError);
    expect(error).toMatchObject({ status: 429, message: 'Too many requests', retryAfter: 7 });
  });

  test('sends the empty webhookUrl in the body of the GET, as the interface asks', async () => {
    const seen: unknown[] = [];
    const baseUrl = await startHttpDouble(async (request, response) => {
      seen.push(request.method, request.url, request.headers['content-type'], JSON.parse(await readText(request)));
      answerWith(200, '{"statusCode":200,"message":"Webhook list fetched","data":[]}')(request, response);
    });
    await createManagementClient({ baseUrl, authToken: 'tf_x', apiKey }).listWebhooks({ webhookId: 'a b' });
    expect(seen).toEqual(['GET', '/api/v2/public/sdk/webhook?webhookId=a%20b', 'application/json', { webhookUrl: '' }]);
  });

  test('sends everything with the fetch it was given, which takes no body with GET', async () => {
    const sent: (string | undefined)[][] = [];
    const fetch = async (url: string, init: RequestInit) => {
      sent.push([init.method, new URL(url).pathname, typeof init.body]);
      return Response.json({ statusCode: 200, message: 'Webhook list fetched', data: [] });
    };
    const client = createManagementClient({ baseUrl: 'https://gas.example', authToken: 'tf_x', apiKey, fetch });
    expect(await client.listWebhooks({ webhookId: 'x' })).toEqual([]);
    expect(sent).toEqual([['GET', '/api/v2/public/sdk/webhook', 'undefined']]);
  });

  test('sends the apiKey only with calls that act on one paymaster', async () => {
    const apiKeys: unknown[] = [];
    const baseUrl = await startHttpDouble((request, response) => {
      apiKeys.push(request.headers.apikey);
      const message = apiKeys.length === 1 ? 'DApp list fetched' : 'Smart contract list fetched';
      answerWith(200, JSON.stringify({ statusCode: 200, message, data: [] }))(request, response);
    });
    const client = createManagementClient({ baseUrl: `${baseUrl}/`, authToken: 'tf_x', apiKey });
    await client.listPaymasters();
    await client.listSmartContracts();
    expect(apiKeys).toEqual([undefined, apiKey]);
  });

  test.each(['', 'gas.example', 'ftp://gas.example', 'http://'])('refuses the base address %j', (baseUrl) => {
    expect(() => createManagementClient({ baseUrl, authToken: 'tf_x' })).toThrow(
      'baseUrl must be an http or https URL.',
    );
  });
});

describe('the sponsor client', () => {
  const answer = (fields: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, ...fields });
  const signed = {
    mode: 'SPONSORED',
    MODE: 'SPONSORED',
    paymasterAndData: '0xab',
    preVerificationGas: '1',
    verificationGasLimit: 2,
    callGasLimit: 3,
    validUntil: 4,
    decisionId: 'd',
  };
  const sponsored = {
    mode: 'SPONSORED',
    sponsorshipInfo: { smartAccountInfo: { name: 'SAFE', version: '1.4.1' } },
  } as const;
  const tokens = { mode: 'ERC20', tokenInfo: {} } as const;
  const over = (body: string, status = 200) => createSponsorClient({ transport: async () => ({ status, text: body }) });

  test('takes a signed result', async () => {
    const data = await over(answer({ result: signed })).getFeeQuoteOrData(operation, sponsored);
    expect(data).toMatchObject({ preVerificationGas: 1n, verificationGasLimit: 2n, callGasLimit: 3n, validUntil: 4 });
  });

  test('takes fields that it does not know', async () => {
    const body = answer({ result: { ...signed, entryPointVersion: '0.9' }, trace: [] });
    expect(await over(body).getFeeQuoteOrData(operation, sponsored)).toMatchObject({ decisionId: 'd' });
  });

  test.each([
    ['bytes that are not hex', { paymasterAndData: '0xzz' }],
    ['half a byte', { paymasterAndData: '0xabc' }],
    ['a negative limit', { callGasLimit: -1 }],
    ['a limit with a fraction', { callGasLimit: 1.5 }],
    ['the other mode', { mode: 'ERC20', MODE: 'ERC20' }],
    ['a missing field', { validUntil: undefined }],
  ])('does not take a signed result with %s', async (_, fields) => {
    const call = over(answer({ result: { ...signed, ...fields } })).getFeeQuoteOrData(operation, sponsored);
    expect(await errorOf(call)).toMatchObject({ name: 'TransportError', failure: 'unexpected-answer' });
  });

  test('does not take the answer to another request', async () => {
    const body = answer({ id: 99, result: signed });
    const error = await errorOf(over(body).getFeeQuoteOrData(operation, sponsored));
    expect(error).toMatchObject({ failure: 'unexpected-answer' });
  });

  test('keeps every digit of the numbers of a quote', async () => {
    const quote =
      '{"symbol":"\\"X\\": 1","decimal":18,"tokenAddress":"0x00000000000000000000000000000000000000bb",' +
      '"maxGasFee":12345678901234567.000000000000000001,"maxGasFeeUSD":0.5,"exchangeRate" : 123456789012345678901234567890,' +
      '"premiumPercentage":"12.5","validUntil":5,"logoUrl":"https://x.example/1.png"}';
    const result =
      '{"mode":"ERC20","MODE":"ERC20","paymasterAddress":"0x00000000000000000000000000000000000000cc",' +
      `"feeQuotes":[${quote}],"unsupportedTokens":["1"],"decisionId":"d"}`;
    const body = `{"jsonrpc":"2.0","id":1,"result":${result}}`;
    const { feeQuotes, unsupportedTokens } = await over(body).getFeeQuoteOrData(operation, tokens);
    expect(feeQuotes).toEqual([
      {
        symbol: '"X": 1',
        decimal: 18,
        tokenAddress: '0x00000000000000000000000000000000000000bb',
        maxGasFee: '12345678901234567.000000000000000001',
        maxGasFeeUSD: 0.5,
        exchangeRate: 123456789012345678901234567890n,
        premiumPercentage: '12.5',
        validUntil: 5,
        logoUrl: 'https://x.example/1.png',
      },
    ]);
    expect(unsupportedTokens).toEqual(['1']);
  });

  test('turns an error that JSON-RPC itself defines into a refusal without a reason', async () => {
    const body = answer({ error: { code: -32601, message: 'The method does not exist' } });
    const error = await errorOf(over(body, 404).getFeeQuoteOrData(operation, sponsored));
    expect(error).toBeInstanceOf(SponsorshipRefusedError);
    expect(error).toMatchObject({ code: -32601, status: 404, reason: undefined, details: {} });
  });

  test('keeps the further facts of a refusal', async () => {
    const data = { reason: 'ESTIMATION_FAILED', decisionId: 'd', field: 'signature', aaCode: 'AA23' };
    const body = answer({ error: { code: -32016, message: 'It would fail', data } });
    expect(await errorOf(over(body, 422).sponsorUserOperation(operation, sponsored))).toMatchObject({
      reason: 'ESTIMATION_FAILED',
      decisionId: 'd',
      field: 'signature',
      details: { aaCode: 'AA23' },
    });
  });

  test('sends numbers as hex and leaves out what is not set', async () => {
    const requests: unknown[] = [];
    const client = createSponsorClient({
      transport: async (request) => {
        requests.push(JSON.parse(request));
        return { status: 200, text: answer({ id: requests.length, result: signed }) };
      },
    });
    await client.getFeeQuoteOrData({ ...operation, nonce: 2n ** 255n, callGasLimit: undefined }, sponsored);
    await client.sponsorUserOperation(operation, sponsored);
    expect(requests).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'pm_getFeeQuoteOrData',
        params: [
          {
            sender: operation.sender,
            nonce: `0x8${'0'.repeat(63)}`,
            callData: '0x',
            maxFeePerGas: '0x2',
            maxPriorityFeePerGas: '0x1',
          },
          sponsored,
        ],
      },
      expect.objectContaining({ id: 2, method: 'pm_sponsorUserOperation' }),
    ]);
  });

  test('refuses a negative number before anything is sent', async () => {
    const call = over('').getFeeQuoteOrData({ ...operation, nonce: -1n }, sponsored);
    await expect(call).rejects.toThrow('nonce must not be negative');
  });

  test('names a transport that throws', async () => {
    const client = createSponsorClient({ transport: () => Promise.reject(new Error('no route')) });
    const error = await errorOf(client.getFeeQuoteOrData(operation, sponsored));
    expect(error).toMatchObject({ name: 'TransportError', failure: 'unreachable', cause: { message: 'no route' } });
  });
});
