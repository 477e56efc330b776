import { createFormDecoder } from './create-form-decoder.ts';
import type { CallForm } from './decoder.ts';
import { readBatchWithValues, readSingleCall } from './read-call.ts';

const forms: readonly CallForm[] = [
  { selector: '0xb61d27f6', read: readSingleCall }, // execute
  { selector: '0x47e1da2a', read: readBatchWithValues }, // executeBatch(address[],uint256[],bytes[])
];

/** thirdweb's account (EntryPoint 0.6 and 0.7). */
export const thirdweb100 = createFormDecoder('THIRDWEB', '1.0.0', { '0.6': forms, '0.7': forms });
