/** The kinds of mistakes that a configuration can have, for programs: stable. */
export const mistakeIds = [
  // The file and its form.
  'file-unreadable',
  'syntax',
  'key-twice',
  'variable',
  // Settings by themselves.
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
  // Settings next to others.
  'chainId-twice',
  'two-databases',
  'version-twice',
  'address-twice',
  'port-twice',
  'grpc-open',
  'no-contract',
  // Files that are named.
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
