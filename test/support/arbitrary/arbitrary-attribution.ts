import fc from 'fast-check';
import { Attribution } from 'ox/erc8021';

/** A code as registries have them. */
export const attributionCode = fc.stringMatching(/^[a-z0-9_]{1,32}$/);
const codes = fc.array(attributionCode, { minLength: 1, maxLength: 3 });
const registry = fc.record({
  address: fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as const),
  chainId: fc.integer({ min: 1, max: 2 ** 32 }),
});

/** What a suffix of one of the three schemas of ERC-8021 says, and the codes in it. */
export const arbitraryAttribution: fc.Arbitrary<{
  readonly attribution: Attribution.Attribution;
  readonly codes: readonly string[];
}> = fc.oneof(
  codes.map((listed) => ({ attribution: { codes: listed }, codes: listed })),
  fc
    .tuple(codes, registry)
    .map(([listed, codeRegistry]) => ({ attribution: { codes: listed, codeRegistry }, codes: listed })),
  fc.tuple(attributionCode, attributionCode, codes).map(([appCode, walletCode, serviceCodes]) => ({
    attribution: { appCode, walletCode, serviceCodes },
    codes: [appCode, walletCode, ...serviceCodes],
  })),
);

/** The bytes that a wallet appends. */
export function suffixOf(attribution: Attribution.Attribution): Buffer {
  return Buffer.from(Attribution.toDataSuffix(attribution).slice(2), 'hex');
}
