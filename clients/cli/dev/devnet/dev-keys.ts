import { type Hex, toHex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';

/** The mnemonic that development nodes fund by default. Everybody knows it: never send real coin to its accounts. */
export const devMnemonic = 'test test test test test test test test test test test junk';

/** Accounts that development nodes fund. */
export const devKeyCount = 10;

/** A private key of the development mnemonic, by its index. */
export function deriveDevKey(index: number): Hex {
  const key = mnemonicToAccount(devMnemonic, { addressIndex: index }).getHdKey().privateKey;
  if (key === null || key === undefined) throw new Error('The development mnemonic gave no private key.');
  return toHex(key);
}
