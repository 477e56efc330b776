import { accept } from '../../domain/result/result.ts';
import type { ChainView } from '../../node/chain-watcher.ts';
import type { Identified } from '../identify/identify.ts';
import type { Asked } from '../run/asked.ts';
import { noted, type Step } from '../run/steps.ts';
import { viewChain } from './view-chain.ts';

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
