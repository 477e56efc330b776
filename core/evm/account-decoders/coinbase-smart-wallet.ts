import { createFormDecoder } from './create-form-decoder.ts';
import { readBatchOfTuples, readSingleCall } from './read-call.ts';

/**
 * Coinbase Smart Wallet 1 (EntryPoint 0.6). `executeWithoutChainIdValidation`, which changes owners on every chain at once,
 * is not sponsored.
 */
export const coinbaseSmartWallet100 = createFormDecoder('COINBASE_SMART_WALLET', '1.0.0', {
  '0.6': [
    { selector: '0xb61d27f6', read: readSingleCall }, // execute
    { selector: '0x34fcd5be', read: readBatchOfTuples }, // executeBatch
  ],
});
