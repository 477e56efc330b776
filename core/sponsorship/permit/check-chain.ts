import type { Address } from 'viem';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import { SignerUnavailableError } from '../../evm/signer/signer.ts';
import { type ChainView, clockFault } from '../../node/followed-chain.ts';
import { type Identified, refuseFault } from '../identify/identify.ts';
import type { ChainRuntime } from '../run/sponsorship-parts.ts';
import { type Asked, noted, notedIfRefused, type Step } from '../run/steps.ts';

/** Nothing is held while no key can sign. */
export const checkSigner: Step<Asked & Identified, object> = notedIfRefused(
  { rule: 'signer', finding: ['signer'] },
  ({ contract }) => {
    if (contract.signer.backends?.fault() === undefined) return accept({});
    return refuse({ reason: 'SIGNER_UNAVAILABLE', message: new SignerUnavailableError().message });
  },
);

/** Nothing is signed for a contract that does not match the configuration. */
export const checkContract: Step<Asked & Identified, object> = notedIfRefused(
  { rule: 'paymaster', finding: ['paymaster-contract'] },
  ({ contract: { fault } }) => (fault === undefined ? accept({}) : refuseFault(fault)),
);

/** The chain's latest readings. */
export type Viewed = { readonly view: ChainView };

/** Nothing is signed while the chain does not answer or the ledger is not in step with it. */
export const checkChain: Step<Asked & Identified, Viewed> = noted(
  { rule: 'chain', finding: ({ chain }) => ['chain', chain.config.chainId] },
  ({ chain, contract, parts }) => {
    const view = viewChain(chain, contract.location.address, parts.clock);
    return view.ok ? accept({ view: view.value }) : view;
  },
);

type Followed = {
  readonly config: Pick<ChainRuntime['config'], 'chainId' | 'maxClockDifferenceSeconds'>;
  readonly watcher: Pick<ChainRuntime['watcher'], 'view' | 'faultOf'>;
};

/**
 * The chain's recent readings. Nothing is signed (`CHAIN_UNAVAILABLE`) without them, while the ledger of the paymaster's
 * contract does not follow the chain, and while our clock and the chain's differ too much.
 */
export function viewChain(chain: Followed, contract: Address, clock: Clock): Result<ChainView> {
  const { chainId } = chain.config;
  const view = chain.watcher.view();
  const fault = chain.watcher.faultOf(contract);
  const clocks = clocksFault(chain, view, clock);
  if (view !== undefined && fault === undefined && clocks === undefined) return accept(view);
  if (fault !== undefined) {
    // The details are for the operator, in the readiness and the log.
    return refuse({
      reason: 'CHAIN_UNAVAILABLE',
      message: `The ledger of this paymaster's contract is behind chain ${chainId}. Nothing is signed until it has caught up.`,
    });
  }
  if (clocks !== undefined) {
    return refuse({
      reason: 'CHAIN_UNAVAILABLE',
      message: `Nothing is signed on chain ${chainId} at the moment: ${clocks}.`,
    });
  }
  return refuse({
    reason: 'CHAIN_UNAVAILABLE',
    message: `The node of chain ${chainId} does not respond. Nothing is signed until it does.`,
  });
}

/** What is known of a chain, without checking the ledger: operations sponsored by another paymaster are not in its tanks. */
export function viewWithoutLedger(chain: Followed, clock: Clock): ChainView | undefined {
  const view = chain.watcher.view();
  return clocksFault(chain, view, clock) === undefined ? view : undefined;
}

function clocksFault({ config }: Followed, view: ChainView | undefined, clock: Clock): string | undefined {
  if (view === undefined) return undefined;
  return clockFault(unixSeconds(clock), view.headTime, config.maxClockDifferenceSeconds);
}
