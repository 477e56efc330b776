import type { Address } from 'viem';
import type { AccountCodeKind } from '../known-code.ts';

const implementation: Address = '0x000100abaad02f1cfC8Bbe32bD5a564817339E72';

/** Coinbase Smart Wallet 1, where CREATE2 puts it. Its factory takes owners and a nonce, and calls nothing of theirs. */
export const coinbaseSmartWallet: AccountCodeKind = {
  name: 'Coinbase Smart Wallet 1',
  decoders: [{ name: 'COINBASE_SMART_WALLET', version: '1.0.0' }],
  implementations: [{ address: implementation }],
  factories: [
    { mark: { address: '0x0BA5ED0c6AA8c49038F819E587E2633c4A9F428a' }, readCreation: () => ({ implementation }) },
  ],
};
