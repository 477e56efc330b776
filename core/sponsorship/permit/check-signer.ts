import { accept, refuse } from '../../domain/result/result.ts';
import { SignerUnavailableError } from '../../evm/signer/signer.ts';
import type { Identified } from '../identify/identify.ts';
import type { Asked } from '../run/asked.ts';
import { notedIfRefused, type Step } from '../run/steps.ts';

/** Nothing is held while no key can sign. */
export const checkSigner: Step<Asked & Identified, object> = notedIfRefused(
  { rule: 'signer', finding: ['signer'] },
  ({ contract }) => {
    if (contract.signer.backends?.fault() === undefined) return accept({});
    return refuse({ reason: 'SIGNER_UNAVAILABLE', message: new SignerUnavailableError().message });
  },
);
