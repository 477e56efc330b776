import { formatUnits } from 'viem';
import type { TokenCost } from './estimate-token-cost.ts';

const shownDigits = 2;

/**
 * What a page says of what is free and of what comes then, like `2 left, then about 0.03 USDC`. Empty where neither is known.
 * `operationsLeft` is that of an allowance, absent where no limit counts operations.
 */
export function freeThenPaidText(operationsLeft: number | undefined, cost: TokenCost | undefined): string {
  const left = operationsLeft === undefined ? '' : `${operationsLeft} left`;
  if (cost === undefined) return left;
  const about = `about ${roundedUp(cost)} ${cost.symbol}`;
  if (operationsLeft === 0) return about;
  return left === '' ? '' : `${left}, then ${about}`;
}

/** To two digits, upwards. */
function roundedUp({ amount, decimals }: TokenCost): string {
  const step = 10n ** BigInt(Math.max(amount.toString().length - shownDigits, 0));
  return formatUnits(((amount + step - 1n) / step) * step, decimals);
}
