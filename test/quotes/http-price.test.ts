import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { HttpPriceConfig } from '../../core/domain/core-config.ts';
import { createHttpPrice } from '../../core/quotes/http-price.ts';
import { json, listen, startPriceServer } from '../support/servers/price-server.ts';
import { testCertificate } from '../support/servers/test-certificate.ts';
import { createTestClock } from './price-lab.ts';

const now = 1_800_000_000;

/** A price server that ends with the test, and the source that asks it. */
async function startSource(answer: RequestListener, config: Partial<HttpPriceConfig> = {}) {
  const { url, requests } = await startPriceServer(answer);
  const clock = createTestClock(now);
  const source = createHttpPrice(
    { kind: 'http', url, path: 'data.usd', maxAgeSeconds: 60, allowHttp: true, ...config },
    { clock },
  );
  return { ...source, clock, requests };
}

describe('a price on the web', () => {
  test.each([
    ['a number', '{"data":{"usd":2000.000000000000000001}}', 2_000_000_000_000_000_000_001n, 18],
    ['a text', '{"data":{"usd":"9007199254740993.1"}}', 90_071_992_547_409_931n, 1],
  ])('is read exactly from %s', async (_, text, value, decimals) => {
    const source = await startSource(json(text));
    expect(await source.read()).toEqual({ price: { value, decimals } });
  });

  test('can lie deep in a document, in a list', async () => {
    const source = await startSource(json('{"result":{"ETH-USD":{"c":["1999.5","0"]}}}'), {
      path: 'result.ETH-USD.c[0]',
    });
    expect(await source.read()).toEqual({ price: { value: 19_995n, decimals: 1 } });
  });

  test('is asked for at the whole URL, with a GET', async () => {
    const asked: unknown[] = [];
    const source = await startSource((request, response) => {
      asked.push([request.method, request.url]);
      response.end('{"data":{"usd":1}}');
    });
    await source.read();
    expect(asked).toEqual([['GET', '/price?key=very-secret']]);
  });

  test.each([
    ['zero', '{"data":{"usd":0.00}}', 'has a price that is not above zero'],
    ['negative', '{"data":{"usd":-1.5}}', 'has a price that is not above zero'],
    ['missing', '{"data":{}}', 'has no decimal number at data.usd'],
    ['null', '{"data":{"usd":null}}', 'has no decimal number at data.usd'],
    ['a boolean', '{"data":{"usd":true}}', 'has no decimal number at data.usd'],
    ['an object', '{"data":{"usd":{"usd":1}}}', 'has no decimal number at data.usd'],
    ['words', '{"data":{"usd":"about 5"}}', 'has no decimal number at data.usd'],
    ['absurdly long', `{"data":{"usd":${'9'.repeat(5_000)}}}`, 'has no decimal number at data.usd'],
    ['not JSON', '<html>2000</html>', 'answered something that is not JSON'],
    ['nested without end', `${'['.repeat(30_000)}1${']'.repeat(30_000)}`, 'has no decimal number at data.usd'],
    ['nothing at all', '', 'answered something that is not JSON'],
  ])('that is %s is none', async (_, text, problem) => {
    const source = await startSource(json(text));
    expect(await source.read()).toEqual({ problem });
  });

  test('has to be at an https URL, unless the operator allows http', () => {
    const config = { kind: 'http', url: 'http://prices.example/', path: 'usd', maxAgeSeconds: 60 } as const;
    const clock = createTestClock(now);
    expect(() => createHttpPrice({ ...config, allowHttp: false }, { clock })).toThrow(RangeError);
    expect(createHttpPrice({ ...config, allowHttp: true }, { clock }).kind).toBe('http');
    expect(() => createHttpPrice({ ...config, url: 'ftp://prices.example/', allowHttp: true }, { clock })).toThrow(
      RangeError,
    );
  });
});

describe('the time of a price on the web', () => {
  const timed = (time: string) =>
    startSource(json(`{"data":{"usd":"5"},"at":${time}}`), { timestampPath: 'at', maxAgeSeconds: 60 });

  test.each([
    ['seconds', `${now - 60}`],
    ['milliseconds', `${(now - 60) * 1_000}`],
    ['text', `"${new Date((now - 60) * 1_000).toISOString()}"`],
    ['a clock a little ahead of ours', `${now + 120}`],
  ])('is taken as %s', async (_, time) => {
    expect(await (await timed(time)).read()).toEqual({ price: { value: 5n, decimals: 0 } });
  });

  test.each([
    [`${now - 61}`, 'has a price from 61 seconds ago, but at most 60 are allowed'],
    [`${now + 121}`, 'has a price from 121 seconds in the future'],
    ['0', `has a price from ${now} seconds ago, but at most 60 are allowed`],
    ['"lately"', 'has no time at at'],
    ['null', 'has no time at at'],
  ])('of %s gives no price', async (time, problem) => {
    expect(await (await timed(time)).read()).toEqual({ problem });
  });
});

describe('a server that misbehaves gives no price and no hint of its URL', () => {
  const valid = '{"data":{"usd":1}}';
  const endless = (response: ServerResponse) => {
    const more = () => {
      while (!response.destroyed && response.write(' '.repeat(16_384)));
    };
    response.on('drain', more);
    more();
  };

  test.each<readonly [string, RequestListener, string]>([
    ['with an error status', json(valid, 500), 'answered with status 500'],
    ['with a success that is none', json(valid, 203), 'answered with status 203'],
    ['that says it has too much to do', json(valid, 429), 'answered with status 429'],
    [
      'that compresses',
      (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(valid)),
      'answered in a compressed form',
    ],
    ['that answers more than 64 KiB', json(`${' '.repeat(65_536)}${valid}`), 'answered more than 65536 bytes'],
    ['that never stops', (_, response) => endless(response), 'answered more than 65536 bytes'],
    ['that hangs up', (request) => request.socket.destroy(), 'could not be reached'],
    [
      'that stops in the middle',
      (_, response) => void response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy()),
      'could not be reached',
    ],
    [
      'with headers without end',
      (_, response) => response.writeHead(200, { 'x-long': 'x'.repeat(12_000) }).end(valid),
      'could not be reached',
    ],
  ])('%s', async (_, answer, problem) => {
    const source = await startSource(answer);
    expect(await source.read()).toEqual({ problem });
  });

  test('that redirects are not followed', async () => {
    const source = await startSource((request, response) => {
      if (request.url === '/moved') response.end(valid);
      else response.writeHead(302, { location: '/moved' }).end(valid);
    });
    expect(await source.read()).toEqual({ problem: 'answered with status 302' });
    expect(source.requests()).toBe(1);
  });

  test.concurrent.each<readonly [string, RequestListener]>([
    ['that never answers', () => undefined],
    ['that never ends its answer', (_, response) => void response.writeHead(200).write('{')],
    [
      'that answers drop by drop',
      (_, response) => {
        const drip = setInterval(() => response.write(' '), 100);
        response.on('close', () => clearInterval(drip));
      },
    ],
  ])('%s', async (_, answer) => {
    const source = await startSource(answer);
    expect(await source.read()).toEqual({ problem: 'did not answer within 2000 ms' });
  });

  test('whose certificate no one vouches for', async () => {
    let requests = 0;
    const port = await listen(
      createTlsServer(testCertificate, (_, response) => {
        requests += 1;
        response.end(valid);
      }),
    );
    const source = createHttpPrice(
      { kind: 'http', url: `https://127.0.0.1:${port}/`, path: 'data.usd', maxAgeSeconds: 60, allowHttp: false },
      { clock: createTestClock(now) },
    );
    expect(await source.read()).toEqual({ problem: 'could not be reached' });
    expect(requests).toBe(0);
  });

  test('that is not there', async () => {
    const server = createServer();
    const port = await listen(server);
    server.close();
    await once(server, 'close');
    const source = createHttpPrice(
      { kind: 'http', url: `http://127.0.0.1:${port}/`, path: 'usd', maxAgeSeconds: 60, allowHttp: true },
      { clock: createTestClock(now) },
    );
    expect(await source.read()).toEqual({ problem: 'could not be reached' });
  });
});

describe('reading a price on the web', () => {
  test('many who ask at once share one request', async () => {
    const source = await startSource(json('{"data":{"usd":7}}'));
    const readings = await Promise.all(Array.from({ length: 200 }, () => source.read()));
    expect(new Set(readings.map((reading) => JSON.stringify(reading, (_, value) => String(value)))).size).toBe(1);
    expect(source.requests()).toBe(1);
  });

  test('is done again when five seconds have gone by, and not before', async () => {
    let price = 1;
    const source = await startSource((_, response) => response.end(`{"data":{"usd":${price++}}}`));
    expect(await source.read()).toEqual({ price: { value: 1n, decimals: 0 } });
    source.clock.pass(4);
    expect(await source.read()).toEqual({ price: { value: 1n, decimals: 0 } });
    source.clock.pass(1);
    expect(await source.read()).toEqual({ price: { value: 2n, decimals: 0 } });
  });

  test('is done again when the clock was set back', async () => {
    const source = await startSource(json('{"data":{"usd":7}}'));
    await source.read();
    source.clock.pass(-1);
    await source.read();
    expect(source.requests()).toBe(2);
  });

  test('is tried again a second after it failed, and the price from before the failure is gone', async () => {
    let broken = false;
    const source = await startSource((request, response) =>
      json(broken ? 'x' : '{"data":{"usd":7}}')(request, response),
    );
    expect(await source.read()).toHaveProperty('price');
    broken = true;
    source.clock.pass(5);
    expect(await source.read()).toHaveProperty('problem');
    broken = false;
    expect(await source.read()).toHaveProperty('problem');
    expect(source.requests()).toBe(2);
    source.clock.pass(1);
    expect(await source.read()).toHaveProperty('price');
  });

  test('a price grows too old while it is shared', async () => {
    const source = await startSource(json(`{"data":{"usd":7},"at":${now - 58}}`), { timestampPath: 'at' });
    expect(await source.read()).toHaveProperty('price');
    source.clock.pass(3);
    expect(await source.read()).toEqual({ problem: 'has a price from 61 seconds ago, but at most 60 are allowed' });
    expect(source.requests()).toBe(1);
  });
});
