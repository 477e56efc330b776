import type { Address } from 'viem';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { SponsorProfile } from '../../paymasters/sponsor-profile.ts';
import type { Identified } from '../identify/identify.ts';
import type { Asked } from '../run/asked.ts';
import { noted, type Step } from '../run/steps.ts';

/** Whose gas tank pays. */
export type Payer = { readonly fundingWallet: Address };

/** Starts mode `SPONSORED`. Some contracts only support tokens. */
export const checkSponsors: Step<Asked & Identified, object> = noted(
  { rule: 'mode', finding: ['mode', 'SPONSORED'] },
  ({ contract, draft }) => {
    draft.mode = 'SPONSORED';
    if (contract.family.modes.includes('SPONSORED')) return accept({});
    return refuse({
      reason: 'INVALID_PARAMS',
      message: `mode must be ERC20: paymaster version ${contract.version} does not sponsor; it only accepts tokens.`,
      field: 'mode',
    });
  },
);

/** Finds whose gas tank pays for the sponsorship. */
export const findPayer: Step<Asked & Identified, Payer> = noted(
  { rule: 'funding-wallet', finding: ['funding-wallet'] },
  ({ profile }) => {
    const wallet = findFundingWallet(profile);
    return wallet.ok ? accept({ fundingWallet: wallet.value }) : wallet;
  },
);

/** The paymaster's funding wallet; `INSUFFICIENT_FUNDS` while it has none. */
export function findFundingWallet({ paymaster }: SponsorProfile): Result<Address> {
  if (paymaster.fundingWallet !== undefined) return accept(paymaster.fundingWallet);
  return refuse({
    reason: 'INSUFFICIENT_FUNDS',
    message: 'The gas tank is empty: this paymaster has no funding wallet yet.',
  });
}
