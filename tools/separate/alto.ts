import type { SeparatePackage } from './install-separately.ts';

/** It has 380 MB and is under the GPL: neither the lock file nor a package of ours may include it. */
export const alto: SeparatePackage = { name: '@pimlico/alto', version: '0.0.20' };
