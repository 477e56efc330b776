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

/** Something that is wrong in a configuration, in words that hold none of its secrets. */
export type ConfigMistake = {
  readonly id: MistakeId;
  /** The setting, like `chains[0].signer.keystoreFile`; empty for the file as a whole. */
  readonly setting: string;
  /** Where the setting was made: the file with line and column, or the flag or variable it came from. */
  readonly place: string;
  readonly line?: number;
  readonly column?: number;
  /** What is wrong, in words that follow the name of the setting. */
  readonly problem: string;
  /** What would be right, as a sentence. */
  readonly hint?: string;
};

/** A mistake whose place is yet to be found: `path` leads to it, `ofKey` to its key and not to its value. */
export type FoundMistake = Pick<ConfigMistake, 'id' | 'problem'> & {
  readonly path: readonly PropertyKey[];
  readonly hint?: string | undefined;
  readonly ofKey?: boolean;
};
