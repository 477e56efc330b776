import { encodeAbiParameters, type Hex } from 'viem';
import type { UnitPrices } from '../../../core/domain/unit-prices.ts';

/** What the probe for prices returns on a chain with these: it counts its own pushes, pops and GAS with them. */
export function unitPriceAnswer(prices: UnitPrices, knowsClz = true): Hex {
  const { newSlot, changedSlot, coldAccount, newAccount, codeByte, valueCall } = prices;
  const stipend = 2_300n;
  const callExisting = valueCall - stipend + 25n;
  const creation = 32_030n;
  // Some gas for the memory of 256 bytes and their hash.
  const withCode = creation + 256n * codeByte + 74n;
  const words = [newSlot + 8n, changedSlot + 8n, coldAccount + 7n, callExisting, callExisting + newAccount];
  const all = [...words, creation, withCode, knowsClz ? 1n : 0n];
  return encodeAbiParameters([{ type: 'uint256[8]' }], [all as never]);
}
