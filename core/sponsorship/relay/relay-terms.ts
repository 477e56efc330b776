import type { RelayTerms } from '../../domain/relay-config.ts';
import { accept } from '../../domain/result/result.ts';
import type { WithGas } from '../gas/choose-gas.ts';
import type { Asked } from '../run/asked.ts';
import type { Step } from '../run/steps.ts';

/** The requirements for an operation to be relayed, except its decision's id. */
export type UndecidedTerms = { readonly kind: 'terms' } & Omit<RelayTerms, 'decisionId'>;

/** The limits with which it would be accepted now. */
export const answerTerms: Step<Asked & WithGas, { readonly answer: UndecidedTerms }> = ({ operation }) => {
  const { callGasLimit, verificationGasLimit, preVerificationGas } = operation.gas;
  return accept({ answer: { kind: 'terms', callGasLimit, verificationGasLimit, preVerificationGas } });
};
