import type { Address } from 'viem';
import type { AccountCodeKind } from '../known-code.ts';

const implementation: Address = '0x8E8e658E22B12ada97B402fF0b044D6A325013C7';

/** LightAccount 2.0, where CREATE2 puts it. Its factory takes an owner and a salt. */
export const lightAccount20: AccountCodeKind = {
  name: 'LightAccount 2.0',
  decoders: [{ name: 'LIGHT_ACCOUNT', version: '2.0.0' }],
  implementations: [{ address: implementation }],
  factories: [
    { mark: { address: '0x0000000000400CdFef5E2714E63d8040b700BC24' }, readCreation: () => ({ implementation }) },
  ],
};
