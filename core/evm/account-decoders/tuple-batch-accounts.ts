import { createFormDecoder, executeUserOpForm } from './create-form-decoder.ts';
import type { CallForm } from './decoder.ts';
import { readBatchOfTuples, readSingleCall } from './read-call.ts';

const forms: readonly CallForm[] = [
  { selector: '0xb61d27f6', read: readSingleCall }, // execute(address,uint256,bytes)
  { selector: '0x34fcd5be', read: readBatchOfTuples }, // executeBatch((address,uint256,bytes)[])
];

/** Accounts on Solady's `ERC4337`. `delegateExecute` and `storageStore` are not sponsored. */
const solady100 = createFormDecoder('SOLADY', '1.0.0', { '0.6': forms, '0.7': forms, '0.8': forms, '0.9': forms });

/** Alchemy's modular accounts: 1 (EntryPoint 0.6, ERC-6900 with plugins), 2 (0.7, with execution hooks). */
const modularAccount100 = createFormDecoder('MODULAR_ACCOUNT', '1.0.0', { '0.6': forms });
const modularAccount200 = createFormDecoder('MODULAR_ACCOUNT', '2.0.0', {
  '0.7': [...forms, executeUserOpForm(forms)],
});

/** Circle's modular wallets, MSCA 1 (EntryPoint 0.7). */
const circle100 = createFormDecoder('CIRCLE', '1.0.0', { '0.7': forms });

/** Accounts of several vendors that share the same two methods. */
export const tupleBatchAccounts = [solady100, modularAccount100, modularAccount200, circle100] as const;
