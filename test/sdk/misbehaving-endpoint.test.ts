import { describe, expect, test } from 'vitest';
import { createPaymaster } from '../../clients/sdk/create-paymaster.ts';
import { createSponsorClient } from '../../clients/sdk/create-sponsor-client.ts';

const address = '0x00000000000000000000000000000000000000aa';
const operation = { sender: address, nonce: 7n, callData: '0x', chainId: 31337, entryPointAddress: address } as const;

/** A client whose endpoint answers with this result, and what it was asked. */
function clientOf(result: unknown) {
  const asked: { method: string; params: unknown[] }[] = [];
  const client = createSponsorClient({
    transport: async (request) => {
      const { id, method, params } = JSON.parse(request);
      asked.push({ method, params });
      return { status: 200, text: JSON.stringify({ jsonrpc: '2.0', id, result }) };
    },
  });
  return { client, asked };
}

const paymaster = { paymaster: address, paymasterData: '0x01' };
const validUntil = 1_900_000_000;
const limits = { paymasterVerificationGasLimit: '0x10', paymasterPostOpGasLimit: '0x20' };

describe('an answer that is not in the form of its method is refused', () => {
  test.each([
    ['of neither EntryPoint', {}],
    ['without the paymaster limits', paymaster],
    ['with an address that is too short', { ...paymaster, ...limits, paymaster: '0xaa' }],
    ['with data that is not hex', { paymasterAndData: 'data' }],
    ['with a limit that is not a number', { ...paymaster, ...limits, paymasterPostOpGasLimit: 'much' }],
  ])('paymaster data %s', async (_, result) => {
    const { client } = clientOf(result);
    const unexpected = { name: 'TransportError', failure: 'unexpected-answer' };
    await expect(client.getPaymasterStubData(operation)).rejects.toMatchObject(unexpected);
    await expect(client.getPaymasterData(operation)).rejects.toMatchObject(unexpected);
  });

  test('signed data that does not say until when it is valid', async () => {
    const unexpected = { name: 'TransportError', failure: 'unexpected-answer' };
    for (const fields of [{ ...paymaster, ...limits }, { paymasterAndData: '0x01' }]) {
      const { client } = clientOf(fields);
      await expect(client.getPaymasterData(operation)).rejects.toMatchObject(unexpected);
    }
  });

  test.each([
    ['getTokenQuotes', { quotes: [{ token: address }] }],
    ['getSupportedTokens', [{ token: 'USDC', symbol: 'USDC', name: 'USDC', decimals: 6 }]],
    ['getSupportedEntryPoints', ['0x']],
  ] as const)('of %s', async (action, result) => {
    const { client } = clientOf(result);
    const calls = {
      getTokenQuotes: () => client.getTokenQuotes({ tokens: [address], chainId: 1, entryPointAddress: address }),
      getSupportedTokens: () => client.getSupportedTokens(),
      getSupportedEntryPoints: () => client.getSupportedEntryPoints(),
    };
    await expect(calls[action]()).rejects.toMatchObject({ name: 'TransportError', failure: 'unexpected-answer' });
  });
});

test('fields of an answer that the interface does not know never reach the operation', async () => {
  const { client } = clientOf({
    ...paymaster,
    ...limits,
    validUntil,
    callData: '0xbad0',
    sender: address,
    isFinal: true,
  });
  const expected = { ...paymaster, paymasterVerificationGasLimit: 16n, paymasterPostOpGasLimit: 32n };
  expect(await client.getPaymasterStubData(operation)).toEqual(expected);
  expect(await client.getPaymasterData(operation)).toEqual({ ...expected, validUntil });
});

test('an operation is sent with the fields of the interface alone, numbers and chain id in hex', async () => {
  const { client, asked } = clientOf({ paymasterAndData: '0x', validUntil });
  const secret = { account: 'not for the service', calls: [] };
  await createPaymaster(client, { paymasterContext: { token: address } }).getPaymasterData({ ...operation, ...secret });
  const context = { calculateGasLimits: true, token: address };
  expect(asked).toEqual([
    {
      method: 'pm_getPaymasterData',
      params: [{ sender: address, nonce: '0x7', callData: '0x' }, address, '0x7a69', context],
    },
  ]);
});
