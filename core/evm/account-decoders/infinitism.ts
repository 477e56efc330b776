import type { EntryPointVersion } from '../../domain/entry-point-version.ts';
import { createFormDecoder } from './create-form-decoder.ts';
import type { CallForm } from './decoder.ts';
import { readBatchOfTuples, readBatchWithOptionalValues, readBatchWithoutValues, readSingleCall } from './read-call.ts';

/** `execute(address,uint256,bytes)`, the same in every version. */
const execute: CallForm = { selector: '0xb61d27f6', read: readSingleCall };

/** SimpleAccount from 0.8 on and Simple7702Account inherit both methods from the same `BaseAccount`. */
const formsOf08: readonly CallForm[] = [execute, { selector: '0x34fcd5be', read: readBatchOfTuples }];

/** `executeBatch` changed with the first EntryPoint versions. The development chain has this account for each of them. */
const formsOfSimpleAccount: Readonly<Record<EntryPointVersion, readonly CallForm[]>> = {
  '0.6': [execute, { selector: '0x18dfb3c7', read: readBatchWithoutValues }],
  '0.7': [execute, { selector: '0x47e1da2a', read: readBatchWithOptionalValues }],
  '0.8': formsOf08,
  '0.9': formsOf08,
};

/** eth-infinitism's SimpleAccount. */
export const infinitism100 = createFormDecoder('INFINITISM', '1.0.0', formsOfSimpleAccount);

/** eth-infinitism's Simple7702Account, the default delegate of the EIP-7702 clients of viem and permissionless. */
export const simple7702 = createFormDecoder('SIMPLE_7702', '1.0.0', { '0.8': formsOf08, '0.9': formsOf08 });
