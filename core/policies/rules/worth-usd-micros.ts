const weiPerCoin = 10n ** 18n;

/** Worth of wei in millionths of a USD, rounded up. */
export function worthUsdMicros(wei: bigint, usdMicrosPerCoin: bigint): bigint {
  return (wei * usdMicrosPerCoin + weiPerCoin - 1n) / weiPerCoin;
}
