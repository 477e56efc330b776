import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';

/** The family of paymaster contracts that is deployed for accounts of an EntryPoint, unless another one is named. */
export const usualFamilies = {
  '0.6': 'pimlico-singleton-0.6',
  '0.7': 'pimlico-singleton-0.7',
  '0.8': 'pimlico-singleton-0.8',
  '0.9': 'tollfree-0.9',
} as const satisfies Record<EntryPointVersion, string>;
