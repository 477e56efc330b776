import { createPackedSingleton } from './packed-singleton.ts';

/**
 * Pimlico's SingletonPaymaster for EntryPoint 0.8, as published on npm (`@pimlico/mock-paymaster` 0.0.7): its digest is
 * that of 0.7. A later source hashes once more with the EIP-7702 delegate; a contract of that kind would be a family of
 * its own.
 */
export const pimlicoSingleton08 = createPackedSingleton('pimlico-singleton-0.8', '0.8');
