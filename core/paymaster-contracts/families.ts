import type { PaymasterContractFamily } from './family.ts';
import { pimlicoSingleton06 } from './pimlico-singleton-0.6.ts';
import { pimlicoSingleton07 } from './pimlico-singleton-0.7.ts';
import { pimlicoSingleton08 } from './pimlico-singleton-0.8.ts';
import { verifyingPaymaster07 } from './verifying-paymaster-0.7.ts';

/** Every kind of paymaster contract the service can sign for, by name. */
export const paymasterContractFamilies: ReadonlyMap<string, PaymasterContractFamily> = new Map(
  [pimlicoSingleton06, pimlicoSingleton07, pimlicoSingleton08, verifyingPaymaster07].map((family) => [
    family.name,
    family,
  ]),
);
