import type { Address, Hex } from 'viem';

/**
 * How code is known again. By its hash, with the words masked that each deployment fills in by itself (`immutables`,
 * the offsets of 32-byte words in the runtime code). Or by the address at which CREATE2 puts it: the address is made of
 * the code, so that no one can put other code there.
 */
export type CodeMark =
  | { readonly codeHash: Hex; readonly immutables?: readonly number[] }
  | { readonly address: Address };

/**
 * A slot of the account that has to hold one of these addresses, for code that hands the EntryPoint's calls on to it.
 */
type RequiredSlot = { readonly slot: Hex; readonly oneOf: readonly Address[] };

/**
 * The account that a call of a factory makes. Without an `implementation` the operator answers for the factory.
 * `runs` is a contract that is called meanwhile, and the code it has to have.
 */
export type Creation = {
  readonly implementation?: Address;
  readonly runs?: { readonly address: Address; readonly mark: CodeMark };
};

/** What a factory's code and its call data say of the account it makes; undefined for a call that may do other work. */
export type ReadCreation = (factory: { readonly code: Hex; readonly callData: Hex }) => Creation | undefined;

/** Factories that make accounts of known code, and nothing else. */
export type KnownFactory = { readonly mark: CodeMark; readonly readCreation: ReadCreation };

/** A kind of account by the code that runs. */
export type AccountCodeKind = {
  /** What people call it, with its version. */
  readonly name: string;
  /** The decoders that read its `callData`, by name and version. */
  readonly decoders: readonly { readonly name: string; readonly version: string }[];
  readonly implementations: readonly CodeMark[];
  readonly requires?: readonly RequiredSlot[];
  readonly factories?: readonly KnownFactory[];
  /** Contracts of the owner's choice run while the EntryPoint validates and next to the calls, and may write storage. */
  readonly runsModules?: true;
  /**
   * What says which modules run in the operation that creates the account. `creation`: its factory's call data, which are read exactly, for
   * validation; a contract that owns the account can install more before the calls. `calls`: its calls, which the policy allows one by
   * one, for all of it. Absent where a signature can install modules (Kernel, Nexus, Modular Account 2).
   */
  readonly firstModulesAreIn?: 'creation' | 'calls';
  /**
   * A signature with which accounts of this kind validate without reverting, to estimate with instead of one that was
   * spoiled. An ECDSA signature when absent.
   */
  readonly estimationSignature?: Hex;
};

/**
 * A contract whose whole work is to delegate to the address in a slot of its own (`own-address`: the slot that has the
 * number of the account's address), or to what the beacon in that slot names.
 */
export type KnownProxy = {
  readonly mark: Extract<CodeMark, { codeHash: Hex }>;
  readonly slot: Hex | 'own-address';
  readonly through?: 'beacon';
};
