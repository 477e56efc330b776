import { decimalText } from './decimal-text.ts';

/** Base units of the shortest decimal form of a double, rounded down. `value` is not negative. */
function baseUnitsOfShortestForm(value: number, decimals: number): bigint {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const scale = decimals - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction);
  return scale >= 0 ? digits * 10n ** BigInt(scale) : digits / 10n ** BigInt(-scale);
}

/**
 * The fewest base units that a client can compute from this JSON number: with `Math.ceil(x * 10 ** decimals)` in doubles,
 * for both possible roundings of the power, or by parsing the number's text (`parseUnits`).
 */
function minBaseUnits(text: string, decimals: number): bigint {
  const value = Number(text);
  const byPower = BigInt(Math.ceil(value * 10 ** decimals));
  const byLiteral = BigInt(Math.ceil(value * Number(`1e${decimals}`)));
  const byText = baseUnitsOfShortestForm(value, decimals);
  const byDoubles = byPower < byLiteral ? byPower : byLiteral;
  return byText < byDoubles ? byText : byDoubles;
}

/**
 * An amount of base units as a JSON number in whole tokens: at most `decimals` fraction digits, no exponent, and rounded up
 * enough that no client which converts it with doubles gets fewer than `baseUnits`. The excess is a few parts in 10^16.
 */
export function wholeTokens(baseUnits: bigint, decimals: number): string {
  let text = decimalText(baseUnits, decimals);
  for (let excess = 1n; minBaseUnits(text, decimals) < baseUnits; excess *= 2n) {
    text = decimalText(baseUnits + excess, decimals);
  }
  return text;
}
