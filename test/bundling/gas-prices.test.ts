import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundPrices, chainPrices } from '../../core/bundling/gas-prices.ts';
import { defaultGasPriceBounds, highestPrices } from '../../core/gas/fees/gas-price-bounds.ts';
import { respond, respondError, respondResult } from '../support/servers/json-rpc-server.ts';
import { handTimes } from '../support/time/hand-times.ts';
import { apiKey, chainId, fees, type LabOptions, only, openBundlingLab } from './bundling-lab.ts';

const highest = highestPrices(fees, defaultGasPriceBounds);
const needed = fees.baseFee + fees.suggestedTip;

const price = fc.record({ maxFeePerGas: fc.bigInt(0n, 2n ** 100n), maxPriorityFeePerGas: fc.bigInt(0n, 2n ** 100n) });
const view = fc.record({ baseFee: fc.bigInt(0n, 2n ** 60n), suggestedTip: fc.bigInt(0n, 2n ** 60n) });

test('whatever a bundler names, a price is one that is signed and that the chain takes, or there is none', () => {
  fc.assert(
    fc.property(price, view, fc.option(fc.bigInt(0n, 2n ** 62n), { nil: undefined }), (named, seen, ceiling) => {
      const result = boundPrices({ slow: named, standard: named, fast: named }, seen, {
        ceilings: [ceiling, undefined],
      });
      const most = highestPrices(seen, defaultGasPriceBounds);
      const need = seen.baseFee + seen.suggestedTip;
      if (!result.ok) {
        expect(ceiling ?? need).toBeLessThan(need);
        return;
      }
      const { maxFeePerGas, maxPriorityFeePerGas } = result.value.fast;
      expect(maxFeePerGas >= need && maxFeePerGas <= most.maxFeePerGas).toBe(true);
      expect(maxFeePerGas <= (ceiling ?? maxFeePerGas)).toBe(true);
      expect(maxPriorityFeePerGas <= most.maxPriorityFeePerGas && maxPriorityFeePerGas <= maxFeePerGas).toBe(true);
    }),
  );
});

test('prices of the chain rise with the haste', () => {
  expect(chainPrices(fees)).toEqual({
    slow: { maxFeePerGas: 1_350n, maxPriorityFeePerGas: 100n },
    standard: { maxFeePerGas: 1_600n, maxPriorityFeePerGas: 100n },
    fast: { maxFeePerGas: 2_100n, maxPriorityFeePerGas: 100n },
  });
});

async function quote(answer: Parameters<typeof openBundlingLab>[0], options: LabOptions = {}) {
  const lab = await openBundlingLab(answer, options);
  const result = await lab.bundling.quoteGasPrices({ apiKey, chainId });
  return { ...lab, result };
}

const named = { maxFeePerGas: '0x5dc', maxPriorityFeePerGas: '0x78' };
const read = { maxFeePerGas: 1_500n, maxPriorityFeePerGas: 120n };

describe('the prices of the bundler', () => {
  test.each([
    ['pimlico_getUserOperationGasPrice', { slow: named, standard: named, fast: named }],
    ['skandha_getGasPrice', named],
  ])('are taken by %s', async (method, result) => {
    expect((await quote(only(method, result))).result).toEqual({
      ok: true,
      value: { slow: read, standard: read, fast: read },
    });
  });

  test('are tips alone by rundler_maxPriorityFeePerGas, and the rest is the chain’s', async () => {
    const { result } = await quote(only('rundler_maxPriorityFeePerGas', '0x78'));
    expect(result).toMatchObject({ value: { standard: { maxFeePerGas: 1_620n, maxPriorityFeePerGas: 120n } } });
  });

  test('are not taken beyond what is signed', async () => {
    const dear = { maxFeePerGas: `0x${'f'.repeat(20)}`, maxPriorityFeePerGas: `0x${'f'.repeat(20)}` };
    const { result } = await quote(
      only('pimlico_getUserOperationGasPrice', { slow: dear, standard: dear, fast: dear }),
    );
    expect(result).toMatchObject({ value: { fast: highest } });
  });

  test('are not taken below what the chain asks for', async () => {
    const cheap = { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x0' };
    const { result } = await quote(only('skandha_getGasPrice', cheap));
    expect(result).toMatchObject({
      value: { slow: { maxFeePerGas: needed, maxPriorityFeePerGas: fees.suggestedTip } },
    });
  });

  test('are asked for by one method once that is known, and not again for a while where there is none', async () => {
    const times = handTimes();
    const { bundling, asked } = await quote(only('skandha_getGasPrice', named));
    await bundling.quoteGasPrices({ apiKey, chainId });
    expect(asked().map(({ method }) => method)).toEqual([
      ...['pimlico_getUserOperationGasPrice', 'rundler_maxPriorityFeePerGas'],
      ...['skandha_getGasPrice', 'skandha_getGasPrice'],
    ]);
    const without = await quote((request, response) => respondError(response, request, -32_601, 'no'), { times });
    await without.bundling.quoteGasPrices({ apiKey, chainId });
    expect(without.asked().length).toBe(3);
    times.pass(700_000);
    await without.bundling.quoteGasPrices({ apiKey, chainId });
    expect(without.asked().length).toBe(6);
  });

  test.each<[string, Parameters<typeof openBundlingLab>[0]]>([
    ['is away', (_, response) => void response.destroy()],
    ['has no such method', (request, response) => respondError(response, request, -32_601, 'no')],
    ['answers nonsense', (request, response) => respondResult(response, request, { fast: 'soon' })],
    ['answers no JSON', (_, response) => respond(response, '<html>')],
  ])('give way to the chain’s where the bundler %s', async (_, answer) => {
    expect((await quote(answer)).result).toEqual({ ok: true, value: chainPrices(fees) });
  });
});

describe('there is no price', () => {
  const none: Parameters<typeof openBundlingLab>[0] = (request, response) =>
    respondError(response, request, -32_601, 'no');

  test.each([
    ['the policy', { policy: { maxFeePerGas: needed - 1n } }],
    ['the operator', { ceiling: needed - 1n }],
  ])('where %s signs none that the chain takes', async (_, options) => {
    const { result } = await quote(none, options);
    const details = { ceiling: String(needed - 1n), needed: String(needed) };
    expect(result).toMatchObject({ refusal: { reason: 'GAS_PRICE_TOO_HIGH', field: 'maxFeePerGas', details } });
  });

  test('where the chain’s own is not known', async () => {
    expect((await quote(none, { fees: undefined })).result).toMatchObject({ refusal: { reason: 'CHAIN_UNAVAILABLE' } });
  });
});

test('without bounds of the operator, the bundler’s price is taken as high as it is', async () => {
  const dear = { maxFeePerGas: '0xffffffff', maxPriorityFeePerGas: '0xfffffff' };
  const { result } = await quote(only('skandha_getGasPrice', dear), { gasPrice: 'none' });
  expect(result).toMatchObject({ value: { fast: { maxFeePerGas: 0xffffffffn, maxPriorityFeePerGas: 0xfffffffn } } });
});
