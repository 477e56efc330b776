import type { Hex } from 'viem';

/**
 * Solady's minimal ERC-1967 proxy, as far as it runs. Immutable arguments may follow: the code ends before them, and its one jump
 * stays inside.
 */
const runtime: Hex =
  '0x363d3d373d3d363d7f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc545af43d6000803e6038573d6000fd5b3d6000f3';

/** The code of such a proxy without its arguments; any other code as it is. */
export function withoutArguments(code: Hex): Hex {
  return code.toLowerCase().startsWith(runtime) ? runtime : code;
}
