import type { SmartAccountClientConfig } from 'permissionless';
import type {
  BundlerClientConfig,
  GetPaymasterDataReturnType,
  GetPaymasterStubDataReturnType,
  PaymasterActions,
  SendUserOperationParameters,
} from 'viem/account-abstraction';
import { expectTypeOf, test } from 'vitest';
import type { createPaymaster, Paymaster } from '../../clients/sdk/create-paymaster.ts';
import type { SponsorClient } from '../../clients/sdk/create-sponsor-client.ts';
import type { PaymasterData } from '../../clients/sdk/sponsor/get-paymaster-data.ts';
import type { SupportedToken } from '../../clients/sdk/sponsor/get-supported-tokens.ts';
import type { TokenRate } from '../../clients/sdk/sponsor/get-token-quotes.ts';
import type { PaymasterContext } from '../../clients/sdk/sponsor/sponsorship-context.ts';
import type { prepareTokenPayment, TokenPayment } from '../../clients/sdk/tokens/prepare-token-payment.ts';
import type { PaymasterContext as ContractContext } from '../../contract/rpc/paymaster-context.ts';
import type {
  PimlicoGetSupportedTokensResult,
  PimlicoGetTokenQuotesResult,
} from '../../contract/rpc/pimlico-tokens.ts';
import type { PmGetPaymasterDataResult } from '../../contract/rpc/pm-get-paymaster-data.ts';

type KeysOfAny<Union> = Union extends unknown ? keyof Union : never;

test('the paymaster is what viem and permissionless take', () => {
  expectTypeOf<ReturnType<typeof createPaymaster>>().toEqualTypeOf<Paymaster>();
  expectTypeOf<Paymaster>().toExtend<PaymasterActions>();
  expectTypeOf<Paymaster>().toExtend<NonNullable<BundlerClientConfig['paymaster']>>();
  expectTypeOf<Paymaster>().toExtend<NonNullable<SmartAccountClientConfig['paymaster']>>();
  expectTypeOf<SponsorClient>().toExtend<PaymasterActions>();
});

test("the ERC-7677 actions answer in viem's types", () => {
  type Stub = Awaited<ReturnType<SponsorClient['getPaymasterStubData']>>;
  expectTypeOf<Stub>().toEqualTypeOf<GetPaymasterStubDataReturnType>();
  expectTypeOf<Awaited<ReturnType<SponsorClient['getPaymasterData']>>>().toEqualTypeOf<PaymasterData>();
  expectTypeOf<PaymasterData>().toExtend<GetPaymasterDataReturnType>();
});

test('results have every field of the contract, numbers as bigint', () => {
  expectTypeOf<KeysOfAny<PaymasterData>>().toEqualTypeOf<KeysOfAny<PmGetPaymasterDataResult>>();
  expectTypeOf<keyof TokenRate>().toEqualTypeOf<keyof PimlicoGetTokenQuotesResult['quotes'][number]>();
  expectTypeOf<keyof SupportedToken>().toEqualTypeOf<keyof PimlicoGetSupportedTokensResult[number]>();
  expectTypeOf<TokenRate['exchangeRate' | 'postOpGas' | 'exchangeRateNativeToUsd']>().toEqualTypeOf<bigint>();
});

test('a context is one of the contract, and needs an account or a token only where it names one', () => {
  expectTypeOf<PaymasterContext>().toExtend<ContractContext>();
  expectTypeOf<Record<string, never>>().toExtend<PaymasterContext>();
  expectTypeOf<{ token: '0x' }>().toExtend<PaymasterContext>();
  expectTypeOf<{ mode: 'ERC20' }>().not.toExtend<PaymasterContext>();
  expectTypeOf<{ sponsorshipInfo: { smartAccountInfo: { name: 'SAFE' } } }>().not.toExtend<PaymasterContext>();
  expectTypeOf<TokenPayment['paymasterContext']>().toExtend<PaymasterContext>();
});

test('what a payment is prepared to goes into sendUserOperation', () => {
  type Sent = TokenPayment['operation'] & {
    calls: TokenPayment['calls'];
    paymasterContext: TokenPayment['paymasterContext'];
  };
  expectTypeOf<Sent>().toExtend<SendUserOperationParameters>();
  expectTypeOf<SponsorClient>().toExtend<Parameters<typeof prepareTokenPayment>[0]>();
});
