import { divideUp } from '../base/values/integers.ts';
import type { PriceConfig } from '../domain/core-config.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { PriceSource, UsdPrice } from './price-source.ts';

/** A price that enough sources agree on, or `PRICE_UNAVAILABLE` with a sentence that names the asset and its sources. */
export type AgreedPrice = { read(): Promise<Result<UsdPrice>> };

/** Which of several prices that agree is used. */
export type PriceChoice = 'highest' | 'lowest';

type Priced = { readonly kind: PriceSource['kind']; readonly price: UsdPrice };

/**
 * One price from several sources. There is no price if fewer than `minimumSources` have one, or if two differ by more than
 * `maximumDeviationBasisPoints` of the lower. A source without a price is ignored while enough others have one.
 *
 * Within the allowed deviation the price is the one in the sponsor's favour, so a slightly wrong source never costs the
 * sponsor: the `highest` for the native coin, which the sponsor advances; the `lowest` for a token, which the sponsor
 * receives.
 *
 * @param options.asset the priced asset, for people: `USDC`, `the native coin of chain 10`.
 */
export function createAgreedPrice(options: {
  readonly asset: string;
  readonly sources: readonly PriceSource[];
  readonly limits: Pick<PriceConfig, 'minimumSources' | 'maximumDeviationBasisPoints'>;
  readonly choice: PriceChoice;
}): AgreedPrice {
  const { asset, sources, limits, choice } = options;

  function unavailable(why: string, kinds: readonly string[]): Result<never> {
    return refuse({
      reason: 'PRICE_UNAVAILABLE',
      message: `There is no price of ${asset}: ${why}.`,
      details: { asset, sources: kinds.join(', ') },
    });
  }

  return {
    read: async () => {
      const readings = await Promise.all(
        sources.map(async (source) => ({ kind: source.kind, reading: await source.read() })),
      );
      const priced: Priced[] = [];
      const problems: { readonly kind: string; readonly problem: string }[] = [];
      for (const { kind, reading } of readings) {
        if ('price' in reading) priced.push({ kind, price: reading.price });
        else problems.push({ kind, problem: reading.problem });
      }
      const [lowest, highest] = [extreme(priced, 'lowest'), extreme(priced, 'highest')];
      if (lowest === undefined || highest === undefined || priced.length < limits.minimumSources) {
        const why = problems.map(({ kind, problem }) => `its ${kind} source ${problem}`).join('; ');
        return unavailable(
          why === '' ? 'it has too few sources' : why,
          problems.map(({ kind }) => kind),
        );
      }
      const apart = deviationBasisPoints(lowest.price, highest.price);
      if (apart > BigInt(limits.maximumDeviationBasisPoints)) {
        const allowed = `at most ${limits.maximumDeviationBasisPoints} are allowed`;
        return unavailable(
          `its ${lowest.kind} and ${highest.kind} sources disagree by ${apart} basis points, and ${allowed}`,
          [lowest.kind, highest.kind],
        );
      }
      return accept(choice === 'highest' ? highest.price : lowest.price);
    },
  };
}

function extreme(priced: readonly Priced[], choice: PriceChoice): Priced | undefined {
  return priced.reduce<Priced | undefined>((found, next) => {
    if (found === undefined) return next;
    const isHigher = isAbove(next.price, found.price);
    const isLower = isAbove(found.price, next.price);
    return (choice === 'highest' ? isHigher : isLower) ? next : found;
  }, undefined);
}

function isAbove(a: UsdPrice, b: UsdPrice): boolean {
  return a.value * 10n ** BigInt(b.decimals) > b.value * 10n ** BigInt(a.decimals);
}

/**
 * How far `highest` is above `lowest`, in basis points of `lowest`, rounded up, so that any excess over the limit counts.
 */
function deviationBasisPoints(lowest: UsdPrice, highest: UsdPrice): bigint {
  const low = lowest.value * 10n ** BigInt(highest.decimals);
  const high = highest.value * 10n ** BigInt(lowest.decimals);
  return divideUp((high - low) * 10_000n, low);
}
