/** Stable ids of configuration mistakes, for programs. */
export const mistakeIds = [
  // The file and its syntax.
  'file-unreadable',
  'syntax',
  'key-twice',
  'variable',
  // Single settings.
  'unknown-key',
  'removed-key',
  'unknown-kind',
  'unknown-name',
  'missing',
  'wrong-type',
  'wrong-value',
  'out-of-range',
  'address',
  'address-checksum',
  'amount-unit',
  // Combinations of settings.
  'chainId-twice',
  'two-databases',
  'version-twice',
  'address-twice',
  'port-twice',
  'grpc-open',
  'no-contract',
  // Named files.
  'file-missing',
  'file-open',
  'file-form',
  'file-unwritable',
  'folder-missing',
  'keystore-password',
  'keystore-address',
  'signer-twice',
  'stand-in-key',
  'treasury-key',
] as const;

export type MistakeId = (typeof mistakeIds)[number];
