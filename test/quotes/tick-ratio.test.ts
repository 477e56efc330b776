import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxTick, meanTick, type Ratio, tickRatio } from '../../core/quotes/uniswap-price.ts';
import { countOutcomes } from '../support/arbitrary/count-outcomes.ts';

/** `getSqrtRatioAtTick` of the published TickMath: the square root of the price, times 2^96, rounded up. */
const published: readonly (readonly [number, bigint])[] = [
  [-887272, 4295128739n],
  [-887271, 4295343490n],
  [-500000, 1101692437043807371n],
  [-250000, 295440463448801648376846n],
  [-150000, 43836292794701720435367485n],
  [-50000, 6504256538020985011912221507n],
  [-5000, 61703726247759831737814779831n],
  [-4000, 64867181785621769311890333195n],
  [-3000, 68192822843687888778582228483n],
  [-2500, 69919044979842180277688105136n],
  [-1000, 75364347830767020784054125655n],
  [-500, 77272108795590369356373805297n],
  [-250, 78244023372248365697264290337n],
  [-100, 78833030112140176575862854579n],
  [-50, 79030349367926598376800521322n],
  [0, 79228162514264337593543950336n],
  [50, 79426470787362580746886972461n],
  [100, 79625275426524748796330556128n],
  [250, 80224679980005306637834519095n],
  [500, 81233731461783161732293370115n],
  [1000, 83290069058676223003182343270n],
  [2500, 89776708723587163891445672585n],
  [3000, 92049301871182272007977902845n],
  [4000, 96768528593268422080558758223n],
  [5000, 101729702841318637793976746270n],
  [50000, 965075977353221155028623082916n],
  [150000, 143194173941309278083010301478497n],
  [250000, 21246587762933397357449903968194344n],
  [500000, 5697689776495288729098254600827762987878n],
  [738203, 847134979253254120489401328389043031315994541n],
  [887271, 1461373636630004318706518188784493106690254656249n],
  [887272, 1461446703485210103287273052203988822378723970342n],
];

/** Within one part in `parts` of each other. */
function isWithin(a: Ratio, b: Ratio, parts: bigint): boolean {
  const left = a.numerator * b.denominator;
  const right = b.numerator * a.denominator;
  const apart = left > right ? left - right : right - left;
  return apart * parts <= right;
}

function inverse({ numerator, denominator }: Ratio): Ratio {
  return { numerator: denominator, denominator: numerator };
}

/** 1.0001^tick without rounding. */
function exactRatio(tick: number): Ratio {
  const power = { numerator: 10_001n ** BigInt(Math.abs(tick)), denominator: 10_000n ** BigInt(Math.abs(tick)) };
  return tick < 0 ? inverse(power) : power;
}

const tick = fc.integer({ min: -maxTick, max: maxTick });

describe('the price of a tick', () => {
  test.each(published)('%i agrees with the published TickMath', (at, sqrtRatioX96) => {
    // The published number is rounded up to a whole one, and from tick 150,000 on it has an error of its own.
    const above = { numerator: sqrtRatioX96 ** 2n, denominator: 1n << 192n };
    const below = { numerator: (sqrtRatioX96 - 1n) ** 2n, denominator: 1n << 192n };
    const ratio = tickRatio(at);
    if (at > 150_000) expect(isWithin(ratio, above, 10n ** 19n)).toBe(true);
    else {
      expect(ratio.numerator * above.denominator <= above.numerator * ratio.denominator).toBe(true);
      expect(ratio.numerator * below.denominator >= below.numerator * ratio.denominator).toBe(true);
    }
  });

  test('is 1.0001 to the power of the tick, to one part in 10^60', () => {
    fc.assert(
      fc.property(fc.integer({ min: -3_000, max: 3_000 }), (at) => {
        expect(isWithin(tickRatio(at), exactRatio(at), 10n ** 60n)).toBe(true);
      }),
    );
  });

  test('multiplies when ticks are added, and is turned round when they change sign', () => {
    const outcomes = countOutcomes('sum out of range', 'multiplied');
    fc.assert(
      fc.property(tick, tick, (a, b) => {
        expect(tickRatio(-a)).toEqual(inverse(tickRatio(a)));
        if (Math.abs(a + b) > maxTick) return outcomes.note('sum out of range');
        outcomes.note('multiplied');
        const [x, y] = [tickRatio(a), tickRatio(b)];
        const product = { numerator: x.numerator * y.numerator, denominator: x.denominator * y.denominator };
        expect(isWithin(product, tickRatio(a + b), 10n ** 60n)).toBe(true);
      }),
    );
    outcomes.expectAllSeen();
  });

  test.each([maxTick + 1, -maxTick - 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('does not exist at %d', (at) => {
    expect(() => tickRatio(at)).toThrow(RangeError);
  });
});

describe('the mean tick of a window', () => {
  test.each([
    [0n, 0n],
    [18_000n, 10n],
    [18_001n, 10n],
    [-18_000n, -10n],
    [-18_001n, -11n],
    [-1n, -1n],
  ])('of %i over 1,800 seconds is %i', (accumulated, mean) => {
    expect(meanTick(accumulated, 1_800)).toBe(mean);
  });
});
