import { accept, refuse } from '../../domain/result/result.ts';
import type { Identified } from '../identify/identify.ts';
import type { Asked } from '../run/asked.ts';
import { notedIfRefused } from '../run/noted.ts';
import type { Step } from '../run/steps.ts';

/** Starts mode `ERC20`: the user pays in a token, the sponsor's deposit advances the gas. */
export const beginTokenMode: Step<Asked, object> = ({ draft }) => {
  draft.mode = 'ERC20';
  draft.calls ??= [];
  return accept({});
};

/** Some contracts only sponsor. */
export const checkTakesTokens: Step<Asked & Identified, object> = notedIfRefused(
  { rule: 'mode', checked: 'mode ERC20' },
  ({ contract }) => {
    if (contract.family.modes.includes('ERC20')) return accept({});
    return refuse({
      reason: 'TOKEN_NOT_SUPPORTED',
      message: `Paymaster version ${contract.version} does not accept tokens; it only sponsors.`,
    });
  },
);
