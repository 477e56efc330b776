import { biconomySponsorship07 } from './biconomy/biconomy-sponsorship-0.7.ts';
import { biconomySponsorship100 } from './biconomy/biconomy-sponsorship-1.0.0.ts';
import { biconomySponsorship110 } from './biconomy/biconomy-sponsorship-1.1.0.ts';
import { biconomySponsorshipPacked } from './biconomy/biconomy-sponsorship-packed.ts';
import { biconomyToken06 } from './biconomy/biconomy-token-0.6.ts';
import { biconomyToken06Packed } from './biconomy/biconomy-token-0.6-packed.ts';
import { biconomyToken07 } from './biconomy/biconomy-token-0.7.ts';
import type { PaymasterContractFamily } from './family/family.ts';
import { pimlicoSingleton06 } from './singleton/pimlico-singleton-0.6.ts';
import { pimlicoSingleton07, pimlicoSingleton08 } from './singleton/pimlico-singleton-packed.ts';
import { tollfreeFamilies } from './tollfree/tollfree-versions.ts';
import { verifyingPaymaster06 } from './verifying/verifying-paymaster-0.6.ts';
import { verifyingPaymaster07 } from './verifying/verifying-paymaster-0.7.ts';

const families: readonly PaymasterContractFamily[] = [
  pimlicoSingleton06,
  pimlicoSingleton07,
  pimlicoSingleton08,
  verifyingPaymaster06,
  verifyingPaymaster07,
  biconomySponsorship100,
  biconomySponsorship110,
  biconomySponsorshipPacked,
  biconomySponsorship07,
  biconomyToken06,
  biconomyToken06Packed,
  biconomyToken07,
  ...tollfreeFamilies,
];

/** Every kind of paymaster contract the service can sign for, by name. */
export const paymasterContractFamilies: ReadonlyMap<string, PaymasterContractFamily> = new Map(
  families.map((family) => [family.name, family]),
);
