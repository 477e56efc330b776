import { concat, encodeAbiParameters, parseAbiParameters, zeroHash } from 'viem';
import { implementationsOf } from '../find-in-catalogue.ts';
import { type AccountCodeKind, dummySignature } from '../known-code.ts';

/** Uniswap's Calibur. Each key may have a hook, which runs during validation and before and after the calls. */
export const calibur: AccountCodeKind = {
  name: 'Calibur 1',
  decoders: [{ name: 'CALIBUR', version: '1.0.0' }],
  implementations: implementationsOf('Calibur 1'),
  // The EOA's own key, its signature, and empty hook data.
  estimationSignature: encodeAbiParameters(parseAbiParameters('bytes32, bytes, bytes'), [
    zeroHash,
    dummySignature,
    '0x',
  ]),
};

/** Ambire's account. An owner may be a contract that verifies signatures itself. */
export const ambire: AccountCodeKind = {
  name: 'Ambire',
  decoders: [{ name: 'AMBIRE', version: '1.0.0' }],
  implementations: implementationsOf('Ambire'),
  // Followed by the mode of a plain ECDSA signature.
  estimationSignature: concat([dummySignature, '0x00']),
};
