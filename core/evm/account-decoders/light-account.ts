import { createFormDecoder } from './create-form-decoder.ts';
import type { CallForm } from './decoder.ts';
import { readBatchWithoutValues, readBatchWithValues, readSingleCall } from './read-call.ts';

const forms: readonly CallForm[] = [
  { selector: '0xb61d27f6', read: readSingleCall }, // execute
  { selector: '0x18dfb3c7', read: readBatchWithoutValues }, // executeBatch(address[],bytes[])
  { selector: '0x47e1da2a', read: readBatchWithValues }, // executeBatch(address[],uint256[],bytes[])
];

/** Alchemy's LightAccount: 1.1.0 for EntryPoint 0.6, 2.0.0 for 0.7. */
export const lightAccount110 = createFormDecoder('LIGHT_ACCOUNT', '1.1.0', { '0.6': forms });
export const lightAccount200 = createFormDecoder('LIGHT_ACCOUNT', '2.0.0', { '0.7': forms });
