import type { Hex } from 'viem';
import type { DecidedCall } from '../../domain/decision.ts';
import type { Argument } from '../../evm/abi/argument-type.ts';
import type { ArgumentValue } from '../../evm/abi/read-call-arguments.ts';

/** What a call sends: wei, and its data; undefined for a decision of the past that did not record it. */
export type CallContent = { readonly value: bigint; readonly data: Hex };

/** A call with what it sends. */
export type AskedCall = DecidedCall & { readonly content: CallContent | undefined };

/** A condition of a rule, read for the method that it is about. */
export type CallTest = {
  readonly argument: string;
  /** What is allowed, for people. */
  readonly allowed: string;
  /** Whether it is about the elements of a list: as many values as the call has words, at most. */
  readonly isOfList: boolean;
  /** The values that the condition is about, each of which has to fulfil it. */
  valuesOf(call: { readonly value: bigint; readonly arguments: readonly ArgumentValue[] }): readonly ArgumentValue[];
  /** `sender` in lower case. */
  isFulfilled(value: ArgumentValue, sender: string): boolean;
};

/** The rules of one method: a call has to fulfil all tests of one of `alternatives`. */
export type MethodRules = {
  readonly signature: string;
  readonly parameters: readonly Argument[];
  readonly alternatives: readonly (readonly CallTest[])[];
};

/** The rules about one contract. `broken` says why one of them cannot be applied: then none of its calls is sponsored. */
type ContractRules = {
  readonly methods: ReadonlyMap<Hex, MethodRules>;
  readonly broken?: string;
};

/** The rules of a policy on arguments, by lower-case address. */
export type CallRules = ReadonlyMap<string, ContractRules>;
