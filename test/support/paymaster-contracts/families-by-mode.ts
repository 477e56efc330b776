import type { SponsorshipMode } from '../../../core/domain/sponsorship.ts';
import { paymasterContractFamilies } from '../../../core/evm/paymaster-contracts/families.ts';

/** The names of all families that have a mode. */
export function familiesWith(mode: SponsorshipMode): readonly string[] {
  return [...paymasterContractFamilies.values()].filter(({ modes }) => modes.includes(mode)).map(({ name }) => name);
}
