import type { AccountCodeKind } from '../known-code.ts';

/** Simple7702Account of `@account-abstraction/contracts` 0.8.0, which has its EntryPoint in its code, and where viem expects it. */
export const simple7702Account: AccountCodeKind = {
  name: 'Simple7702Account 0.8',
  decoders: [{ name: 'SIMPLE_7702', version: '1.0.0' }],
  implementations: [
    { codeHash: '0xcc7b633aef4b2543cb8f37522adf1a401f910f0f6b2430c1eecc11f401ccfcf3' },
    { address: '0xe6Cae83BdE06E4c305530e199D7217f42808555B' },
  ],
};
