import { implementationsOf } from '../find-in-catalogue.ts';
import type { AccountCodeKind } from '../known-code.ts';

const decoders = [{ name: 'SIMPLE_7702', version: '1.0.0' }];

/** Simple7702Account, which has its EntryPoint in its code, and where viem expects it. */
export const simple7702Account: AccountCodeKind = {
  name: 'Simple7702Account 0.8',
  decoders,
  implementations: implementationsOf('Simple7702Account 0.8'),
};

/** The same of 0.9.0-rc.1, whose EntryPoint is an argument, and where viem expects that of 0.9. */
export const simple7702Account09: AccountCodeKind = {
  name: 'Simple7702Account 0.9',
  decoders,
  implementations: implementationsOf('Simple7702Account 0.9'),
};
