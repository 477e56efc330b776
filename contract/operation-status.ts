/** How far the user operation of a decision got, in chronological order; see `operationStatusTexts`. */
export const operationStatuses = [
  'refused',
  'quoted',
  'signed',
  'sent',
  'included',
  'failed',
  'dropped',
  'replaced',
  'expired',
  'released',
] as const;
export type OperationStatus = (typeof operationStatuses)[number];

/** Each status in plain English: its label, what happened, and what to do about it. */
export const operationStatusTexts: Readonly<
  Record<OperationStatus, { readonly label: string; readonly meaning: string; readonly advice?: string }>
> = {
  refused: {
    label: 'Refused',
    meaning: 'The service refused to sponsor it.',
    advice: 'The decision names the rule that refused and how to fix it.',
  },
  quoted: { label: 'Quoted', meaning: 'It was estimated or priced. Nothing was signed.' },
  signed: {
    label: 'Signed',
    meaning: 'The paymaster signed it. The gas tank holds its maximum cost until it lands or expires.',
    advice: 'Sign it with the account and send it to a bundler.',
  },
  sent: {
    label: 'Sent',
    meaning: 'A bundler accepted it. It has not landed in a confirmed block yet.',
    advice: 'Wait. If it stays like this for minutes, its gas price may be too low for the chain.',
  },
  included: { label: 'Included', meaning: 'It landed, and its calls succeeded.' },
  failed: {
    label: 'Failed',
    meaning: 'It landed, but its own calls reverted. The gas was paid nevertheless.',
    advice: 'Read the revert reason, fix the call and send a new operation.',
  },
  dropped: {
    label: 'Dropped',
    meaning: 'A bundler accepted it, but it never landed and no longer can. Nothing was charged.',
    advice: 'Request a new signature and send it again, with a higher gas price if the chain is busy.',
  },
  replaced: {
    label: 'Replaced',
    meaning: 'Another operation of the same account used its nonce. It can never land.',
    advice: 'Nothing to do if the other operation was meant. Otherwise build it again with the next nonce.',
  },
  expired: {
    label: 'Expired',
    meaning: 'It was signed, but it did not land before the signature ended. Nothing was charged.',
    advice: 'Request a new signature and send it sooner.',
  },
  released: {
    label: 'Released',
    meaning: 'The operator released its hold after it was proven that it can no longer land. Nothing was charged.',
    advice: 'Request a new signature.',
  },
};
