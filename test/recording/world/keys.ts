import { type Hex, keccak256, stringToHex } from 'viem';
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts';

/** A key that has the same name in every recording. It is public: never send real coin to its account. */
export function keyOf(name: string): Hex {
  return keccak256(stringToHex(`tollfree recording: ${name}`));
}

const known = new Map<string, LocalAccount>();

export function accountOf(name: string): LocalAccount {
  const account = known.get(name) ?? privateKeyToAccount(keyOf(name));
  known.set(name, account);
  return account;
}
