import { createFormDecoder } from './create-form-decoder.ts';
import { erc7579FormsWithUserOp } from './erc7579.ts';
import { readBatchWithValues, readSingleCall } from './read-call.ts';

/**
 * Biconomy SmartAccount v2 (EntryPoint 0.6). Each method also has an alias with a cheap selector. Clients for EntryPoint 0.7
 * build operations of Nexus accounts but still report the old versions.
 */
export const biconomy200 = createFormDecoder('BICONOMY', '2.0.0', {
  '0.6': [
    { selector: '0x0000189a', read: readSingleCall }, // execute_ncC
    { selector: '0xb61d27f6', read: readSingleCall }, // execute
    { selector: '0x00004680', read: readBatchWithValues }, // executeBatch_y6U
    { selector: '0x47e1da2a', read: readBatchWithValues }, // executeBatch
  ],
  '0.7': erc7579FormsWithUserOp,
});

/** Biconomy SmartAccount v1 (EntryPoint 0.6), with the same encoding. */
export const biconomy100 = createFormDecoder('BICONOMY', '1.0.0', {
  '0.6': [
    { selector: '0x9e5d4c49', read: readSingleCall }, // executeCall
    { selector: '0x00000772', read: readSingleCall }, // executeCall_s1m
    { selector: '0x912ccaa3', read: readBatchWithValues }, // executeBatchCall
    { selector: '0x00008f2d', read: readBatchWithValues }, // executeBatchCall_4by
  ],
  '0.7': erc7579FormsWithUserOp,
});
