import { followInModel } from '../model/follow-in-model.ts';
import { holdInModel } from '../model/ledger-model.ts';
import type { Committed } from '../service/start-process.ts';
import { confirmations } from '../world/world.ts';
import { isForked } from './is-forked.ts';
import { type Simulation, serviceTime } from './simulation-state.ts';

/** Has the model take in what the service has just committed: holds that were asked for, else what it read of the chain. */
export function noteCommit(simulation: Simulation, { by, observed, isBatch }: Committed): void {
  const { model, chain, journal, usdMicrosPerCoin, problems } = simulation;
  try {
    if (isBatch) {
      const asked = simulation.asked.get(by);
      if (asked === undefined) throw new Error('Requests were committed that were never made.');
      const now = serviceTime(simulation);
      const budgets = observed.budgets();
      asked.expected = asked.requests.map((request) => holdInModel(model, request, now, { usdMicrosPerCoin, budgets }));
    } else {
      const bounds = { maxConfirmed: chain.highest() - confirmations, isForked: isForked(simulation) };
      journal.push(...followInModel(model, { chain, observed }, bounds));
    }
  } catch (cause) {
    problems.push(cause);
  }
}
