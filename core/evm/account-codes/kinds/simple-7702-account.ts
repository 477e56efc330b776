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

/** The same of 0.9.0-rc.1, which is told its EntryPoint, and where viem expects that of 0.9. */
export const simple7702Account09: AccountCodeKind = {
  name: 'Simple7702Account 0.9',
  decoders: [{ name: 'SIMPLE_7702', version: '1.0.0' }],
  implementations: [
    {
      codeHash: '0x00e5a82089360fa65a9e59cedd12986c5f1af625f2d957faf97699403567404a',
      immutables: [404, 983, 1604, 3143, 3191],
    },
    { address: '0xa46cc63eBF4Bd77888AA327837d20b23A63a56B5' },
  ],
};
