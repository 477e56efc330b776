import { type Address, concat } from 'viem';
import { dummySignature } from '../estimation-signature.ts';
import type { AccountCodeKind } from '../known-code.ts';

const implementation: Address = '0x8E8e658E22B12ada97B402fF0b044D6A325013C7';
/** `createAccount(address owner, uint256 salt)`: two words. */
const createAccount = /^0x5fbfb9cf0{24}[0-9a-f]{104}$/i;

/** LightAccount 2.0, where CREATE2 puts it. */
export const lightAccount20: AccountCodeKind = {
  name: 'LightAccount 2.0',
  decoders: [{ name: 'LIGHT_ACCOUNT', version: '2.0.0' }],
  implementations: [{ address: implementation }],
  factories: [
    {
      mark: { address: '0x0000000000400CdFef5E2714E63d8040b700BC24' },
      readCreation: ({ callData }) => (createAccount.test(callData) ? { implementation } : undefined),
    },
  ],
  // The type of the signature, that of an EOA, before it.
  estimationSignature: concat(['0x00', dummySignature]),
};
