import { createWalletClient, custom, type GetCapabilitiesReturnType, type SendCallsParameters } from 'viem';
import { foundry } from 'viem/chains';
import { expect, expectTypeOf, test } from 'vitest';
import { createCapabilities, type SponsoredCapabilities } from '../../clients/sdk/create-capabilities.ts';

const url = 'https://gas.example/api/v2/31337/key';
const account = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

type SentCapabilities = NonNullable<SendCallsParameters['capabilities']>;

test("capabilities are in viem's types", () => {
  expectTypeOf<SponsoredCapabilities>().toExtend<SentCapabilities>();
  // Both sides call it by the same name: what a wallet says it can, and what is asked of it.
  expectTypeOf<keyof SponsoredCapabilities>().toExtend<keyof GetCapabilitiesReturnType<number>>();
  expectTypeOf<SponsoredCapabilities['paymasterService']['url']>().toEqualTypeOf<
    NonNullable<SentCapabilities['paymasterService']>['url']
  >();
  expectTypeOf<{ mode: 'ERC20' }>().not.toExtend<
    NonNullable<Parameters<typeof createCapabilities>[0]['paymasterContext']>
  >();
});

test("viem's sendCalls hands them to the wallet as they are", async () => {
  const asked: unknown[] = [];
  const transport = custom({
    request: async ({ method, params }) => {
      asked.push({ method, params });
      return { id: '0x1' };
    },
  });
  const wallet = createWalletClient({ account, chain: foundry, transport });
  const context = { ticket: 'signed.by.us', sponsorshipInfo: { webhookData: { user: 'u-1' } } } as const;
  await wallet.sendCalls({
    calls: [{ to: account }],
    capabilities: createCapabilities({ url, paymasterContext: context }),
  });
  expect(asked).toMatchObject([
    { method: 'wallet_sendCalls', params: [{ capabilities: { paymasterService: { url, context } } }] },
  ]);
});

test('nothing is in them that was not given', () => {
  expect(createCapabilities({ url })).toStrictEqual({ paymasterService: { url } });
  expect(createCapabilities({ url, optional: false })).toStrictEqual({ paymasterService: { url } });
  expect(createCapabilities({ url, optional: true })).toStrictEqual({ paymasterService: { url, optional: true } });
});
