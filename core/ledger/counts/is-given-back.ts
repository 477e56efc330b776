import type { Database } from '../../store/database.ts';

/**
 * Whether limits no longer count a hold: its operation cannot land any more, neither by our signature nor by that of another
 * paymaster.
 */
export function isGivenBack({ state, upstream }: Pick<Database['holds'], 'state'> & { readonly upstream: number }) {
  return state === 'released' && upstream === 0;
}
