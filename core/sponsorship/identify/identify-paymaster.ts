import type { PaymasterDataRequest } from '../../domain/paymaster-data.ts';
import type { Result } from '../../domain/result/result.ts';
import type { Asked } from '../run/asked.ts';
import { noted, type Step } from '../run/steps.ts';
import { findPaymaster, findPaymasterAt, type Identified } from './identify.ts';

const seen = { rule: 'paymaster', finding: ['paymaster'] } as const;

/** Finds the paymaster of the request's apiKey. */
export const identifyPaymaster: Step<Asked, Identified> = noted(seen, async ({ parts, request, draft }: Asked) =>
  remember(draft, await findPaymaster(parts, request)),
);

/** The same for the methods that name an EntryPoint (ERC-7677). */
export const identifyPaymasterAt: Step<Asked & { readonly request: PaymasterDataRequest }, Identified> = noted(
  seen,
  async ({ parts, request, draft }: Asked & { readonly request: PaymasterDataRequest }) =>
    remember(draft, await findPaymasterAt(parts, request)),
);

function remember(draft: Asked['draft'], identified: Result<Identified>): Result<Identified> {
  if (identified.ok) draft.paymasterId = identified.value.profile.paymaster.paymasterId;
  return identified;
}
