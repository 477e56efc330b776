import { expect, test } from 'vitest';
import type { SponsorshipContext } from '../../core/domain/sponsorship.ts';
import { mainnetPrices } from '../../core/domain/unit-prices.ts';
import type { GasLimits, UserOperation } from '../../core/domain/user-operation.ts';
import type { SignedTerms, SponsoredTerms, TokenTerms } from '../../core/evm/paymaster-contracts/family/family.ts';
import type { GivenQuote } from '../../core/quotes/quote-store.ts';
import { requestKey } from '../../core/sponsorship/hold/request-key.ts';
import type { Identified } from '../../core/sponsorship/identify/identify.ts';
import { contract, numberedAddress } from '../support/core/ledger-lab.ts';

type Wished = {
  readonly paymasterId: string;
  readonly contract: string;
  readonly operation: UserOperation;
  readonly givenGas: Partial<GasLimits>;
  readonly signedTerms: SignedTerms;
  readonly context: SponsorshipContext;
  readonly quote?: GivenQuote;
};

const operation: UserOperation = {
  entryPointVersion: '0.8',
  sender: numberedAddress(0xa1),
  nonce: 7n,
  initCode: '0x',
  callData: '0xb61d27f6',
  maxFeePerGas: 3n,
  maxPriorityFeePerGas: 2n,
  signature: '0x',
};
const sponsored: SponsoredTerms = {
  mode: 'SPONSORED',
  validUntil: 100,
  validAfter: 0,
  fundingWallet: numberedAddress(1),
  priceMarkup: 1_000_000,
};
const inTokens: TokenTerms = {
  mode: 'ERC20',
  validUntil: 100,
  validAfter: 0,
  token: numberedAddress(0x70),
  tokenRecipient: numberedAddress(0x71),
  exchangeRate: 10n ** 18n,
  prices: mainnetPrices,
};
const quote: GivenQuote = { maximum: 100n, exchangeRate: 5n, userPercent: 100, validUntil: 100 };
const wished: Wished = {
  paymasterId: 'one',
  contract,
  operation,
  givenGas: {},
  signedTerms: sponsored,
  context: { mode: 'SPONSORED' } as SponsorshipContext,
};

function keyOf({ paymasterId, contract: address, operation: read, givenGas, ...asked }: Wished): string {
  // What the key is made of.
  const identified = { profile: { paymaster: { paymasterId } }, contract: { location: { address } } } as unknown;
  return requestKey(identified as Identified, { operation: read, givenGas }, asked);
}

const of = (changed: Partial<UserOperation>): Wished => ({ ...wished, operation: { ...operation, ...changed } });
const with100 = (field: keyof GasLimits): Wished => ({ ...wished, givenGas: { [field]: 100n } });

const others: readonly Wished[] = [
  { ...wished, paymasterId: 'two' },
  { ...wished, contract: numberedAddress(0xc2) },
  { ...wished, signedTerms: { ...sponsored, fundingWallet: numberedAddress(2) } },
  { ...wished, signedTerms: inTokens },
  { ...wished, signedTerms: { ...inTokens, token: numberedAddress(0x72) } },
  { ...wished, signedTerms: { ...inTokens, tokenRecipient: numberedAddress(0x73) } },
  { ...wished, signedTerms: inTokens, quote },
  { ...wished, signedTerms: inTokens, quote: { ...quote, maximum: 99n } },
  { ...wished, signedTerms: inTokens, quote: { ...quote, exchangeRate: 6n } },
  { ...wished, context: { ...wished.context, calculateGasLimits: false } },
  { ...wished, context: { ...wished.context, expiryDuration: 60 } },
  of({ sender: numberedAddress(0xa2) }),
  of({ nonce: 8n }),
  of({ initCode: '0xb61d27f6' }),
  of({ callData: '0xb61d27f7' }),
  of({ callData: '0x' }),
  of({ maxFeePerGas: 4n }),
  of({ maxPriorityFeePerGas: 3n }),
  of({ eip7702Delegate: numberedAddress(0xd1) }),
  with100('callGasLimit'),
  with100('verificationGasLimit'),
  with100('preVerificationGas'),
  with100('paymasterVerificationGasLimit'),
  with100('paymasterPostOpGasLimit'),
];

test('requests that differ in anything that is signed or judged get terms of their own', () => {
  const keys = [wished, ...others].map(keyOf);
  expect(new Set(keys).size).toBe(keys.length);
});

test('a request that differs only in what its client signs, or in when its terms end, is the same one', () => {
  expect(keyOf(of({ signature: '0x1234' }))).toBe(keyOf(wished));
  expect(keyOf({ ...wished, signedTerms: { ...sponsored, validUntil: 200 } })).toBe(keyOf(wished));
  expect(keyOf({ ...wished, context: { ...wished.context, calculateGasLimits: true } })).toBe(keyOf(wished));
});
