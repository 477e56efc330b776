import { encodeAbiParameters, type Hex, hexToBytes, numberToHex } from 'viem';
import type { UnitPrices } from '../../../core/domain/unit-prices.ts';
import { gasProbeAddress, type TransactionPrices } from '../../../core/gas/transaction-price-probe.ts';
import { unitPriceProbeAddress } from '../../../core/gas/unit-price-probe.ts';

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

type Asked = { readonly method: string; readonly params: readonly unknown[] };
type SentCall = {
  readonly to?: Hex;
  readonly gas?: Hex;
  readonly data?: Hex;
  readonly authorizationList?: readonly unknown[];
};

/**
 * How a node of a chain with these prices answers what the service asks to measure them; undefined for any other question.
 * Estimates are 1 % too high, as nodes' are.
 */
export function priceAnswer(
  { method, params }: Asked,
  prices: UnitPrices & TransactionPrices,
  knowsClz = true,
): Hex | undefined {
  const call = (params[0] ?? {}) as SentCall;
  if (method === 'eth_call' && call.to === unitPriceProbeAddress) return unitPriceAnswer(prices, knowsClz);
  if (call.to !== gasProbeAddress) return undefined;
  const bytes = call.data === undefined ? [] : [...hexToBytes(call.data)];
  const zeros = BigInt(bytes.filter((byte) => byte === 0).length);
  const others = BigInt(bytes.length) - zeros;
  if (method === 'eth_estimateGas') {
    const least = prices.transaction + zeros * prices.floorZeroByte + others * prices.floorOtherByte;
    return numberToHex((least * 101n) / 100n);
  }
  const isFresh = Object.keys(params[2] as object).length === 1;
  const authorization = isFresh ? prices.freshAuthorization : prices.authorization;
  const ofList = BigInt(call.authorizationList?.length ?? 0) * authorization;
  const started = prices.transaction + zeros * prices.zeroByte + others * prices.otherByte + ofList;
  const gasOfGas = 2n;
  return numberToHex(BigInt(call.gas ?? 0) - started - gasOfGas, { size: 32 });
}
