import { countDecisions } from '../../../core/decisions/count-decisions.ts';
import { checkAccounts } from '../../../core/ledger/checking/check-accounts.ts';
import { checkContractLedger } from '../../support/core/check-contract-ledger.ts';
import { compareLedger, compareWholeLedger } from '../model/compare-ledger.ts';
import { chainId } from '../world/world.ts';
import { checkChain } from './look-at-chain.ts';
import { type Simulation, tell } from './simulation-state.ts';

/** Starts the service on what the process that died has left, where that is what the model says. */
export async function restartAfterDeath(simulation: Simulation, onceStarted: () => void): Promise<void> {
  const { service } = simulation;
  compareStep(simulation);
  tell(simulation, `the process died ${service.running().crash.diedAt()}`);
  await service.restartAfterDeath();
  onceStarted();
  await checkChain(simulation);
}

/** Compares what the step has left with the model. */
export function compareStep(simulation: Simulation): void {
  for (const problem of simulation.problems) throw problem;
  compareLedger(comparedIn(simulation), simulation.readSoFar, simulation.journal.splice(0));
}

/** Compares all there is, and lets the operator's own check add up each contract's ledger and all accounts. */
export async function compareAll(simulation: Simulation): Promise<void> {
  const { store, configured } = simulation.service.running();
  while (!(await countDecisions(store)).done);
  compareWholeLedger(comparedIn(simulation));
  for (const { address: contract, keepsBalances } of configured) {
    const { faults } = await store.transaction((transaction) =>
      checkContractLedger(transaction, { chainId, contract, keepsBalances }),
    );
    if (faults.length > 0) throw new Error(`The ledger of ${contract}: ${faults.join('; ')}`);
  }
  const faults = await store.transaction(checkAccounts);
  if (faults.length > 0) throw new Error(`The accounts: ${faults.join('; ')}`);
}

function comparedIn(simulation: Simulation) {
  return { ...simulation, observed: simulation.service.running().observed };
}
