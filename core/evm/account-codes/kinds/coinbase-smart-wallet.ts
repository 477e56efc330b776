import type { Address } from 'viem';
import type { AccountCodeKind } from '../known-code.ts';

/**
 * Factory and implementation of 1.0 and 1.1, where CREATE2 puts them: `script/DeployFactory.s.sol` of coinbase/smart-wallet
 * has the salts and expects these addresses. No package has the code, and those that name addresses name the factories.
 */
const versions: readonly { readonly factory: Address; readonly implementation: Address }[] = [
  {
    factory: '0x0BA5ED0c6AA8c49038F819E587E2633c4A9F428a',
    implementation: '0x000100abaad02f1cfC8Bbe32bD5a564817339E72',
  },
  {
    factory: '0xBA5ED110eFDBa3D005bfC882d75358ACBbB85842',
    implementation: '0x00000110dCdEdC9581cb5eCB8467282f2926534d',
  },
];

/** Coinbase Smart Wallet 1. Its factories take owners and a nonce, and call nothing of theirs. */
export const coinbaseSmartWallet: AccountCodeKind = {
  name: 'Coinbase Smart Wallet 1',
  decoders: [{ name: 'COINBASE_SMART_WALLET', version: '1.0.0' }],
  implementations: versions.map(({ implementation }) => ({ address: implementation })),
  factories: versions.map(({ factory, implementation }) => ({
    mark: { address: factory },
    readCreation: () => ({ implementation }),
  })),
};
