import { createFormDecoder, executeUserOpForm } from './create-form-decoder.ts';
import type { AccountDecoder, CallForm } from './decoder.ts';
import { erc7579FormsWithUserOp } from './erc7579.ts';
import {
  readBatchOfTuples,
  readBatchWithoutValues,
  readBatchWithValues,
  readSingleCall,
  requireTargets,
} from './read-call.ts';

const execute: CallForm = { selector: '0xb61d27f6', read: readSingleCall }; // execute(address,uint256,bytes)
const batchWithValues: CallForm = { selector: '0x47e1da2a', read: readBatchWithValues }; // executeBatch(address[],uint256[],bytes[])
/** The two methods that accounts of several vendors share. */
const withTuples = [execute, { selector: '0x34fcd5be', read: readBatchOfTuples }] as const; // executeBatch((address,uint256,bytes)[])
const withLists = [execute, batchWithValues];
const ofLightAccount = [execute, { selector: '0x18dfb3c7', read: readBatchWithoutValues } as const, batchWithValues];

/** Accounts whose calls are the arguments of plain methods. */
export const plainMethodAccounts: readonly AccountDecoder[] = [
  // Biconomy SmartAccount v2. Each method also has an alias with a cheap selector. Clients for EntryPoint 0.7 build
  // operations of Nexus accounts but still report the old versions.
  createFormDecoder('BICONOMY', '2.0.0', {
    '0.6': [
      { selector: '0x0000189a', read: readSingleCall }, // execute_ncC
      execute,
      { selector: '0x00004680', read: readBatchWithValues }, // executeBatch_y6U
      batchWithValues,
    ],
    '0.7': erc7579FormsWithUserOp,
  }),
  // Biconomy SmartAccount v1, with the same encoding.
  createFormDecoder('BICONOMY', '1.0.0', {
    '0.6': [
      { selector: '0x9e5d4c49', read: readSingleCall }, // executeCall
      { selector: '0x00000772', read: readSingleCall }, // executeCall_s1m
      { selector: '0x912ccaa3', read: readBatchWithValues }, // executeBatchCall
      { selector: '0x00008f2d', read: readBatchWithValues }, // executeBatchCall_4by
    ],
    '0.7': erc7579FormsWithUserOp,
  }),
  // Alchemy's LightAccount.
  createFormDecoder('LIGHT_ACCOUNT', '1.1.0', { '0.6': ofLightAccount }),
  createFormDecoder('LIGHT_ACCOUNT', '2.0.0', { '0.7': ofLightAccount }),
  // `executeWithoutChainIdValidation`, which changes owners on every chain at once, is not sponsored.
  createFormDecoder('COINBASE_SMART_WALLET', '1.0.0', { '0.6': withTuples }),
  // Accounts on Solady's `ERC4337`. `delegateExecute` and `storageStore` are not sponsored.
  createFormDecoder('SOLADY', '1.0.0', { '0.6': withTuples, '0.7': withTuples, '0.8': withTuples, '0.9': withTuples }),
  // Alchemy's modular accounts: 1 has ERC-6900 with plugins, 2 has execution hooks.
  createFormDecoder('MODULAR_ACCOUNT', '1.0.0', { '0.6': withTuples }),
  createFormDecoder('MODULAR_ACCOUNT', '2.0.0', { '0.7': [...withTuples, executeUserOpForm(withTuples)] }),
  // Circle's modular wallets, MSCA 1.
  createFormDecoder('CIRCLE', '1.0.0', { '0.7': withTuples }),
  // Ambire's account for EIP-7702. `execute` and `executeMultiple` carry signatures of their own and are not sponsored. The
  // account skips calls without a target; they are not understood.
  createFormDecoder('AMBIRE', '1.0.0', {
    '0.7': [{ selector: '0xabc5345e', read: (walker) => requireTargets(readBatchOfTuples(walker)) }], // executeBySender
  }),
  createFormDecoder('THIRDWEB', '1.0.0', { '0.6': withLists, '0.7': withLists }),
];
