import { type Hex, toHex } from 'viem';
import { type HDAccount, mnemonicToAccount } from 'viem/accounts';

/** The default mnemonic of development nodes. It is public: never send real coin to its accounts. */
export const devMnemonic = 'test test test test test test test test test test test junk';

/** Accounts that development nodes fund. */
export const devKeyCount = 10;

/** The parent of all keys. Derived once, since it takes thousands of rounds of hashing. */
let parent: HDAccount | undefined;

/** A private key of the development mnemonic, by its index. */
export function deriveDevKey(index: number): Hex {
  parent ??= mnemonicToAccount(devMnemonic, { path: "m/44'/60'/0'/0" });
  const key = parent.getHdKey().deriveChild(index).privateKey;
  if (key === null || key === undefined) throw new Error('The development mnemonic gave no private key.');
  return toHex(key);
}
