import { amountOfCoin } from './chain-name.ts';
import { coinText, usdText } from './usd-text.ts';

/** A gas price in wei, in gwei. */
export function gweiText(wei: string): string {
  return `${coinText(`${wei}000000000`)} gwei`;
}

/** Millionths of a USD, as decimal text with six decimals. */
export function usdOfMicros(micros: string): string {
  const digits = micros.padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** What a rule of a decision says, with its wei in gwei if it is about a gas price, else in the chain’s coin. */
export function readableAmounts(text: string, rule: string, chainId: number): string {
  const isGasPrice = rule.endsWith('gas-price') || text.includes('FeePerGas');
  return text
    .replaceAll(/\b(\d+) wei\b/g, (_, wei: string) =>
      isGasPrice ? gweiText(wei) : amountOfCoin(coinText(wei), chainId),
    )
    .replaceAll(/\b(\d+\.\d+) USD\b/g, (_, usd: string) => usdText(usd));
}
