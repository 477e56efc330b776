import type { CallForm } from './call-form.ts';
import { createFormDecoder } from './create-form-decoder.ts';
import { readBatchOfTuples, readBatchWithOptionalValues, readBatchWithoutValues } from './read-call-batches.ts';
import { readSingleCall } from './read-single-call.ts';

/** `execute(address,uint256,bytes)`, the same in every version. */
const execute: CallForm = { selector: '0xb61d27f6', read: readSingleCall };

/** eth-infinitism's SimpleAccount, whose `executeBatch` changed with every EntryPoint. */
export const infinitism100 = createFormDecoder('INFINITISM', '1.0.0', {
  '0.6': [execute, { selector: '0x18dfb3c7', read: readBatchWithoutValues }],
  '0.7': [execute, { selector: '0x47e1da2a', read: readBatchWithOptionalValues }],
  '0.8': [execute, { selector: '0x34fcd5be', read: readBatchOfTuples }],
});
