import { lightAccounts, modularAccount1, modularAccount2 } from './kinds/alchemy.ts';
import { biconomySmartAccount2 } from './kinds/biconomy.ts';
import { circleMsca } from './kinds/circle.ts';
import { coinbaseSmartWallet } from './kinds/coinbase-smart-wallet.ts';
import { ambire, calibur } from './kinds/eip-7702-delegates.ts';
import { etherspot } from './kinds/etherspot.ts';
import { kernels } from './kinds/kernel.ts';
import { metamask13 } from './kinds/metamask.ts';
import { nexus } from './kinds/nexus.ts';
import { safes } from './kinds/safe.ts';
import { safes7579 } from './kinds/safe-7579.ts';
import {
  simple7702Account,
  simple7702Account09,
  simpleAccount06,
  simpleAccount07,
  simpleAccount08,
  simpleAccount09,
} from './kinds/simple-account.ts';
import { startale } from './kinds/startale.ts';
import { thirdwebs } from './kinds/thirdweb.ts';
import type { AccountCodeKind } from './known-code.ts';

/**
 * The published kinds of account whose code is known. If several kinds have the same code, the first one whose required
 * slots match is used.
 */
export const knownAccounts: readonly AccountCodeKind[] = [
  simpleAccount06,
  simpleAccount07,
  simpleAccount08,
  simpleAccount09,
  simple7702Account,
  simple7702Account09,
  biconomySmartAccount2,
  ...safes,
  ...safes7579,
  ...kernels,
  nexus,
  ...lightAccounts,
  modularAccount1,
  modularAccount2,
  coinbaseSmartWallet,
  metamask13,
  circleMsca,
  calibur,
  ambire,
  ...thirdwebs,
  etherspot,
  startale,
];
