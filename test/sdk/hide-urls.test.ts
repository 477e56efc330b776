import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hideUrls } from '../../clients/sdk/errors/hide-urls.ts';
import { describeInBrowser } from '../support/browser/describe-in-browser.ts';
import { type OpenBrowser, openBrowser } from '../support/browser/open-browser.ts';
import { servePage } from '../support/browser/serve-page.ts';

const key = 'a-key-that-is-in-the-url';
const url = `https://bundler.example/${key}`;
const secret = `Request to ${url} failed`;

function errorWith(property: 'message' | 'stack', descriptor: PropertyDescriptor): Error {
  return Object.defineProperty(new Error('failed'), property, descriptor);
}

function errorInheriting(property: 'message' | 'stack', descriptor: PropertyDescriptor): Error {
  const error = new Error('failed');
  Reflect.deleteProperty(error, property);
  return Object.setPrototypeOf(error, Object.create(Error.prototype, { [property]: descriptor }));
}

/** What `stack` and `message` are in some engine, or in errors of a library. */
const accessor = { configurable: true, get: () => secret, set: () => undefined };
const changeable: readonly (readonly [string, () => Error])[] = [
  ['as a plain property', () => errorWith('stack', { configurable: true, writable: true, value: secret })],
  ['as a property that is read-only', () => errorWith('stack', { configurable: true, value: secret })],
  ['as an accessor of the error', () => errorWith('stack', accessor)],
  ['as an accessor without a setter', () => errorWith('message', { configurable: true, get: () => secret })],
  ['as an accessor of the prototype', () => errorInheriting('stack', accessor)],
  ['as a message of the prototype', () => errorInheriting('message', accessor)],
  ['in a sealed error', () => Object.seal(new Error(secret))],
  ['in a list of texts', () => Object.assign(new Error('failed'), { metaMessages: ['URL:', url] })],
  ['in a cause', () => new Error('failed', { cause: new AggregateError([new Error(secret)], 'failed') })],
];

describe('a URL with a key is removed from an error', () => {
  test.each(changeable)('that has it %s', (_, make) => {
    const error = make();
    hideUrls(error, [url]);
    expect(`${error.message}${error.stack}${inspect(error, { depth: 9, showHidden: true })}`).not.toContain(key);
  });

  test('and the text can be changed by others afterwards', () => {
    const error = errorWith('stack', accessor);
    hideUrls(error, [url]);
    expect(error.stack).toBe('Request to [hidden] failed');
    error.stack = 'of a test runner';
    expect(error.stack).toBe('of a test runner');
  });
});

test.each([
  ['is frozen', () => Object.freeze(new Error(secret))],
  ['has an accessor that cannot be redefined', () => errorWith('stack', { get: () => secret })],
  [
    'has an accessor that throws',
    () =>
      errorWith('stack', {
        configurable: true,
        get: () => {
          throw new Error('no stack here');
        },
      }),
  ],
])('an error that %s is kept as it is, and not replaced by another one', (_, make) => {
  const error = make();
  expect(() => hideUrls(error, [url])).not.toThrow();
  expect(error).toBeInstanceOf(Error);
});

describeInBrowser('in Chromium', () => {
  let browser: OpenBrowser;

  beforeAll(async () => {
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser.close();
  });

  test('what viem throws before a bundler that does not answer has no key in it', async () => {
    const served = await servePage(`
      import { createBundlerClient } from 'viem/account-abstraction';
      import { http } from 'viem';
      import { hideUrls } from './clients/sdk/errors/hide-urls.ts';
      const url = location.origin + '/${key}';
      const client = createBundlerClient({ transport: http(url, { retryCount: 0 }) });
      const error = await client.getChainId().catch((cause) => cause);
      const texts = () => {
        const found = [];
        for (let one = error; one instanceof Error; one = one.cause) found.push(one.message, one.stack, ...(one.metaMessages ?? []));
        return found.join();
      };
      const before = texts();
      hideUrls(error, [url]);
      document.querySelector('main').textContent = JSON.stringify([before, texts()]);
    `);
    try {
      const page = await (await browser.newContext()).newPage();
      await page.goto(served.url);
      const shown = page.locator('main:not(:empty)');
      await shown.waitFor();
      const [before, after] = JSON.parse((await shown.textContent()) ?? '');
      expect(before).toContain(key);
      expect(after).toContain('[hidden]');
      expect(after).not.toContain(key);
    } finally {
      await served.close();
    }
  });
});
