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
  'hot-wallet-key',
] as const;

export type MistakeId = (typeof mistakeIds)[number];

/** A mistake in a configuration, described without its secrets. */
export type ConfigMistake = {
  readonly id: MistakeId;
  /** The setting, like `chains[0].signer.keystoreFile`; empty for the file as a whole. */
  readonly setting: string;
  /** Where the setting was made: line and column of the file, or the flag or variable. */
  readonly place: string;
  readonly line?: number;
  readonly column?: number;
  /** What is wrong, in words that follow the name of the setting. */
  readonly problem: string;
  /** The fix, as a sentence. */
  readonly hint?: string;
};

/** A mistake without a position yet: `path` leads to it, `ofKey` means its key instead of its value. */
export type FoundMistake = Pick<ConfigMistake, 'id' | 'problem'> & {
  readonly path: readonly PropertyKey[];
  readonly hint?: string | undefined;
  readonly ofKey?: boolean;
};
