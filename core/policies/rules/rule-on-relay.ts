import type { Policy } from '../../domain/policy.ts';
import type { Ruling } from './ruling.ts';

/** How a sponsored operation reaches the chain: `RELAY` is through the operator’s bundler, without a paymaster contract. */
export type SponsoringPayer = 'CONTRACT' | 'RELAY';

const rule = 'policy-relay' as const;

/** Whether the policy sponsors in this payer. No ruling on a paymaster contract if the policy leaves the payer open. */
export function ruleOnRelay({ relay }: Pick<Policy, 'relay'>, payer: SponsoringPayer): readonly Ruling[] {
  if (payer === 'CONTRACT' && relay !== 'ONLY') return [];
  const seen: Ruling = { rule, finding: [rule, payer, relay] };
  if (payer === 'CONTRACT') {
    return [
      {
        ...seen,
        refusal: {
          reason: 'RELAY_REQUIRED',
          message:
            'The policy only relays operations: its field relay is ONLY. Send the operation without fees and paymaster with eth_sendUserOperation.',
          field: 'mode',
        },
      },
    ];
  }
  if (relay !== 'NEVER') return [seen];
  return [
    {
      ...seen,
      refusal: {
        reason: 'RELAY_NOT_ALLOWED',
        message:
          'The policy does not relay operations: its field relay is NEVER. Ask for paymaster data, and send the operation with it.',
        field: 'paymaster',
      },
    },
  ];
}
