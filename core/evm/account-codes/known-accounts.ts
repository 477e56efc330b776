import { biconomySmartAccount2 } from './kinds/biconomy.ts';
import { coinbaseSmartWallet } from './kinds/coinbase-smart-wallet.ts';
import { kernels } from './kinds/kernel.ts';
import { lightAccounts } from './kinds/light-account.ts';
import { metamask13 } from './kinds/metamask.ts';
import { modularAccount1, modularAccount2 } from './kinds/modular-account.ts';
import { nexus } from './kinds/nexus.ts';
import { safe141 } from './kinds/safe.ts';
import { simple7702Account, simple7702Account09 } from './kinds/simple-7702-account.ts';
import { simpleAccount06, simpleAccount07, simpleAccount08, simpleAccount09 } from './kinds/simple-account.ts';
import type { AccountCodeKind } from './known-code.ts';

/** The published kinds of account whose code is known. */
export const knownAccounts: readonly AccountCodeKind[] = [
  simpleAccount06,
  simpleAccount07,
  simpleAccount08,
  simpleAccount09,
  simple7702Account,
  simple7702Account09,
  biconomySmartAccount2,
  safe141,
  ...kernels,
  nexus,
  ...lightAccounts,
  modularAccount1,
  modularAccount2,
  coinbaseSmartWallet,
  metamask13,
];
