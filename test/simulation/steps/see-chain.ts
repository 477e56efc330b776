import type { Clock } from '../../../core/base/time/clock.ts';
import type { ChainView } from '../../../core/node/followed-chain.ts';
import { viewChain } from '../../../core/sponsorship/permit/check-chain.ts';
import type { RunningService } from '../service/start-process.ts';
import { chainId } from '../world/world.ts';
import { type Simulation, serviceTime } from './simulation-state.ts';

/** What was seen longer ago than this is not signed on, and clocks further apart say nothing, in seconds. */
const maxAge = 30;
const maxDifference = 300;
/** Seconds that may pass in the middle of a look. */
const lookTakes = 20;

/** The service's clock. */
export function clockOf(simulation: Simulation): Clock {
  return { now: () => serviceTime(simulation) * 1_000 };
}

/**
 * What the service has seen of the chain, where it signs on that. Whether its ledger has been brought up to date is left
 * aside: more is asked of the ledger that way.
 */
export function seeChain(
  simulation: Simulation,
  at: RunningService = simulation.service.running(),
): ChainView | undefined {
  const { view } = at.watcher;
  const seen = viewChain(
    { config: { chainId }, watcher: { view, faultOf: () => undefined } },
    noContract,
    clockOf(simulation),
  );
  if (!seen.ok) return undefined;
  const { headTime } = seen.value;
  const reported = at.clients.reportedHead();
  const now = serviceTime(simulation);
  if (Math.abs(now - headTime) > maxDifference)
    throw new Error(`It would be signed at ${now} on a block of ${headTime}.`);
  if (reported?.timestamp === headTime && Math.abs(now - reported.at) > maxAge + lookTakes) {
    throw new Error(`It would be signed at ${now} on what was seen at ${reported.at}.`);
  }
  return seen.value;
}

const noContract = '0x';
