import type { Hex } from 'viem';
import { createCalldataWalker, NotUnderstoodError, selectorOf } from './calldata-walker.ts';
import type { CallForm } from './decoder.ts';

/**
 * `IAccountExecute.executeUserOp`. From 0.7 on, if `callData` begins with this selector, the EntryPoint passes the whole
 * operation to the account. The encoding after the selector differs between accounts.
 */
export const executeUserOpSelector: Hex = '0x8dd7712f';
const selectorBytes = 4;

/**
 * The form of accounts that call themselves with the bytes after the selector, which must be one of `forms`. The prefix
 * cannot be nested.
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
