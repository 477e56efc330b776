import type { Hex } from 'viem';
import type { DecidedCall } from '../../domain/decision.ts';
import type { Argument } from '../../evm/abi/argument-type.ts';
import type { ArgumentValue } from '../../evm/abi/read-call-arguments.ts';

/** The content of a call: wei, and its data; undefined for a past decision that did not record it. */
export type CallContent = { readonly value: bigint; readonly data: Hex };

/** A call with its content. */
export type AskedCall = DecidedCall & { readonly content: CallContent | undefined };

/** A condition of a rule, resolved for its method. */
export type CallTest = {
  readonly argument: string;
  /** The allowed values, as text. */
  readonly allowed: string;
  /** Whether it tests the elements of a list: at most as many values as the call has words. */
  readonly isOfList: boolean;
  /** The values to test, each of which must fulfil the condition. */
  valuesOf(call: { readonly value: bigint; readonly arguments: readonly ArgumentValue[] }): readonly ArgumentValue[];
  /** `sender` in lower case. */
  isFulfilled(value: ArgumentValue, sender: string): boolean;
};

/** The rules of one method: a call must fulfil all tests of one of `alternatives`. */
export type MethodRules = {
  readonly signature: string;
  readonly parameters: readonly Argument[];
  readonly alternatives: readonly (readonly CallTest[])[];
};

/** The rules for one contract. `broken` says why one of them cannot be applied; then none of its calls is sponsored. */
type ContractRules = {
  readonly methods: ReadonlyMap<Hex, MethodRules>;
  readonly broken?: string;
};

/** A policy's rules on arguments, by lower-case address. */
export type CallRules = ReadonlyMap<string, ContractRules>;
