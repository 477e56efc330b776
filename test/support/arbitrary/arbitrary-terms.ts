import fc from 'fast-check';
import type { SponsorshipMode } from '../../../core/domain/sponsorship.ts';
import { mainnetPrices } from '../../../core/domain/unit-prices.ts';
import type { SignedTerms } from '../../../core/evm/paymaster-contracts/family/family.ts';
import { arbitraryAddress } from './arbitrary-operation.ts';

const time = fc.integer({ min: 1, max: 2 ** 48 - 1 });

/** Any terms of a mode that every contract of that mode can encode. */
export function arbitraryTerms(mode: SponsorshipMode): fc.Arbitrary<SignedTerms> {
  if (mode === 'SPONSORED') {
    return fc.record({
      mode: fc.constant(mode),
      validUntil: time,
      validAfter: time,
      fundingWallet: arbitraryAddress,
      priceMarkup: fc.integer({ min: 1_000_000, max: 2_000_000 }),
    });
  }
  return fc.record({
    mode: fc.constant(mode),
    validUntil: time,
    validAfter: time,
    token: arbitraryAddress,
    exchangeRate: fc.bigInt({ min: 1n, max: 2n ** 128n - 1n }),
    tokenRecipient: arbitraryAddress,
    prices: fc.constant(mainnetPrices),
  });
}
