import type { Hex } from 'viem';

/** Which calls a limit of a contract or method counts. Addresses and selectors in lower case. */
export type CalledLimit = {
  readonly contract: string;
  /** Of the method and all its overloads that the limit names; absent for the whole contract. */
  readonly selectors?: ReadonlySet<Hex>;
  /** All state-changing methods of the contract; limits of all policies share one set of them. */
  readonly known: ReadonlySet<Hex>;
  /** Why no one can tell which calls they are: then no call of the contract is sponsored. */
  readonly broken?: string;
};

/** The limits of a policy that are of contracts and methods, by the keys of `called-key.ts`. */
export type CalledLimits = ReadonlyMap<string, CalledLimit>;
