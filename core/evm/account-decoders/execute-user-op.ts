import type { Hex } from 'viem';
import { createCalldataWalker, NotUnderstoodError, selectorOf } from './calldata-walker.ts';
import type { CallForm } from './decoder.ts';

/**
 * `IAccountExecute.executeUserOp`. From 0.7 on the EntryPoint hands an operation whose `callData` begins with it to the
 * account as a whole. What follows has no form that all accounts share.
 */
export const executeUserOpSelector: Hex = '0x8dd7712f';
const selectorBytes = 4;

/**
 * The form of accounts that call themselves with what follows the selector, one of `forms`. None of them is this one
 * again: a prefix behind the prefix is not understood.
 */
export function executeUserOpForm(forms: readonly CallForm[]): CallForm {
  return {
    selector: executeUserOpSelector,
    read(walker) {
      const called = walker.rest();
      const selector = selectorOf(called);
      const form = forms.find((candidate) => candidate.selector === selector);
      if (form === undefined) {
        throw new NotUnderstoodError('executeUserOp contains a method that is not known to make calls');
      }
      return form.read(createCalldataWalker(called.subarray(selectorBytes)));
    },
  };
}
