import type { SeededRandom } from '../../support/arbitrary/seeded-random.ts';
import { contracts, type SimulatedContract, type Tenant, tenants } from '../world/world.ts';
import type { Simulation } from './simulation-state.ts';
import type { Beginning } from './start-simulation.ts';

/** How a random world begins: often with all there is, sometimes in the middle, or with contracts yet to come. */
export function pickBeginning(random: SeededRandom): Beginning {
  const some = contracts.filter(() => random.chance(80));
  const configured = random.chance(50) || some.length === 0 ? contracts : some;
  return { startBlock: random.pick([0, 0, 0, 3, 9]), configured };
}

/** The paymaster contracts of the configuration with one more, or one less. */
export function changeContracts({ random, service }: Simulation): readonly SimulatedContract[] {
  const { configured } = service.running();
  const changed = random.pick(contracts);
  const others = configured.filter((contract) => contract !== changed);
  if (others.length < configured.length) return others.length === 0 ? configured : others;
  return contracts.filter((contract) => contract === changed || configured.includes(contract));
}

/** The tenants that the service serves at this time. */
export function servedTenants({ service }: Simulation): readonly Tenant[] {
  const { configured } = service.running();
  return tenants.filter(({ contract }) => configured.includes(contract));
}
