import { maxBigint, minBigint, roundUp } from '../base/values/integers.ts';
import type { ChainConfig } from '../domain/core-config.ts';
import type { EntryPointVersion } from '../domain/entry-point-version.ts';
import type { UnitPrices } from '../domain/unit-prices.ts';
import { entryPointOf } from '../evm/entry-point/entry-points.ts';
import { paymasterContractFamilies } from '../evm/paymaster-contracts/families.ts';
import type { FeeView } from '../node/read-fees.ts';

/** Without a ceiling of the operator's: its usual one on Ethereum, in wei. */
const usualCeiling = 50_000_000_000_000_000n;
/** The suggestion is at least this part of the operator's ceiling, so that it outlives a rise of the gas price. */
const leastPart = 10n;

/**
 * Gas of the heaviest usual operations at twice the chain's price, which viem offers: the creation of an account with many
 * owners, or twenty first transfers. EntryPoint 0.6 counts the verification limit three times.
 */
function heaviestGas({ newSlot, newAccount, codeByte }: UnitPrices, version: EntryPointVersion): bigint {
  return entryPointOf(version).isPacked
    ? 40n * newSlot + 8n * newAccount + 1_000n * codeByte + 3_716_000n
    : 30n * newSlot + 10n * newAccount + 8_000n * codeByte + 5_487_000n;
}

/** The chain's prices of steps, and of gas if it is known, and the family of the paymaster's contract. */
type Known = {
  readonly config: Pick<ChainConfig, 'maxCostPerOperation'>;
  readonly family: string;
  readonly prices: UnitPrices;
  readonly fees: FeeView | undefined;
};

/**
 * The cap on the cost of one operation that a new paymaster gets, in wei: what the heaviest usual operations cost now, within
 * a tenth of the operator's ceiling and the ceiling, rounded up to two digits. While no price of gas is known, the ceiling, or a
 * usual one: less could refuse every operation. Undefined for an unknown family.
 */
export function suggestMaxCost({ config, family, prices, fees }: Known): bigint | undefined {
  const version = paymasterContractFamilies.get(family)?.entryPointVersion;
  if (version === undefined) return undefined;
  const { maxCostPerOperation: ceiling } = config;
  if (fees === undefined) return ceiling ?? usualCeiling;
  const price = fees.baseFee + maxBigint(fees.suggestedTip, fees.paidTip ?? 0n);
  const least = (ceiling ?? usualCeiling) / leastPart;
  const suggested = roundUp(maxBigint(heaviestGas(prices, version) * price, least));
  return ceiling === undefined ? suggested : minBigint(suggested, ceiling);
}
