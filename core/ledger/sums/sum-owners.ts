type SenderOfClient = { readonly sender: string; readonly client?: string | null | undefined };

/**
 * A sender, as far as one client has requested it. A signature can be requested without a key of the account, so what
 * strangers request for a sender does not count against its owner.
 */
export function senderOfClient({ sender, client }: SenderOfClient): string {
  return `${sender}:${client ?? ''}`;
}

/** What a hold counts for: its sender, as far as its client requested it, and that client if there is one. */
export function countedFor({ sender, client }: SenderOfClient): readonly string[] {
  return [senderOfClient({ sender, client }), ...(client === undefined || client === null ? [] : [client])];
}

/** The identity of a tank's long-lasting holds: they count together, no matter who requested them. */
export function lastingLongAt(tankId: number): string {
  return `lasts-long:${tankId}`;
}

/** Whose operation may end unpaid, and who requests it. */
type RiskSubject = {
  readonly paymasterId: string;
  readonly sender: string;
  readonly client?: string | undefined;
};

/**
 * Whose risk, in what operations in token mode that are charged after the call can cost without being paid for, and have cost so in the
 * last 24 hours: a paymaster's, that of one of its senders as far as a client asks for it, and what the client has open.
 */
export function riskIdentities({ paymasterId, sender, client }: RiskSubject): {
  readonly paymaster: string;
  readonly sender: string;
  readonly client?: string;
} {
  const ofClient = client === undefined ? {} : { client: `${paymasterId}:client:${client}` };
  return { paymaster: paymasterId, sender: `${paymasterId}:${sender}:${client ?? ''}`, ...ofClient };
}
