import { createPackedSingleton } from './packed-singleton.ts';

/** Pimlico's SingletonPaymaster for EntryPoint 0.7. */
export const pimlicoSingleton07 = createPackedSingleton('pimlico-singleton-0.7', '0.7');
