import { parseUnits } from 'viem';
import { z } from 'zod';

const decimalsOfUnit: Readonly<Record<string, number>> = { wei: 0, gwei: 9, ether: 18 };

/**
 * An amount as text with its unit: `"50 gwei"`, `"0.01 ether"`, `"1000 wei"`. JSON numbers are refused, since they are
 * doubles, and so are digits below one wei.
 */
export const weiAmountSchema = z.string().transform((text, context) => {
  const match = /^(?<whole>\d{1,30})(?:\.(?<fraction>\d{1,18}))? (?<unit>wei|gwei|ether)$/.exec(text);
  const decimals = decimalsOfUnit[match?.groups?.unit ?? ''];
  if (match === null || decimals === undefined || (match.groups?.fraction ?? '').length > decimals) {
    context.addIssue({
      code: 'custom',
      message: 'must be an amount with its unit, like "50 gwei" or "0.01 ether"',
      params: { id: 'amount' },
    });
    return z.NEVER;
  }
  return parseUnits(text.slice(0, text.indexOf(' ')), decimals);
});
