import { accept } from '../../domain/result/result.ts';
import { type Identified, refuseFault } from '../identify/identify.ts';
import type { Asked } from '../run/asked.ts';
import { notedIfRefused, type Step } from '../run/steps.ts';

/** Nothing is signed for a contract that does not match the configuration. */
export const checkContract: Step<Asked & Identified, object> = notedIfRefused(
  { rule: 'paymaster', finding: ['paymaster-contract'] },
  ({ contract: { fault } }) => (fault === undefined ? accept({}) : refuseFault(fault)),
);
